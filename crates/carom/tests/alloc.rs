//! No law allocates memory while it resolves one contact, nor does a handler that has seen impacts as large.

#![allow(
    unsafe_code,
    reason = "only a global allocator can count allocations, and that trait is unsafe to implement"
)]

use carom::laws::{CoulombWorkspace, NewtonCoulomb, Plus, PlusHandler, PoissonCoulomb};
use carom::{Tolerances, Unobserved};
use carom_testkit::Rng;
use carom_testkit::generate::claims_contact;
use carom_testkit::generate::frictional::landing;
use carom_testkit::laws::every_law;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread; the test harness has threads of its own.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of<T>(action: impl FnOnce() -> T) -> (T, u64) {
    let before = ALLOCATIONS.with(Cell::get);
    let result = action();
    (result, ALLOCATIONS.with(Cell::get) - before)
}

fn assert_no_allocation<const D: usize>() {
    for (row, law) in every_law::<D>() {
        let mut answered = 0;
        for index in 0..2000 {
            let contact = claims_contact::<D>(&mut Rng::for_item(4, index)).contact;
            let (answer, allocations) = allocations_of(|| {
                law.resolve_contact(&contact, &Tolerances::NOMINAL, &mut Unobserved)
            });
            // An error explains itself in words, which need memory.
            if answer.is_ok() {
                assert_eq!(allocations, 0, "{}, impact {index}: {contact:?}", row.id);
                answered += 1;
            }
        }
        assert!(answered > 100, "{}: only {answered} impacts answered", row.id);
    }
}

#[test]
fn the_counter_counts() {
    let (_, allocations) = allocations_of(|| vec![1, 2, 3]);
    assert_eq!(allocations, 1);
}

#[test]
fn normal_contacts() {
    assert_no_allocation::<1>();
}

#[test]
fn planar_contacts() {
    assert_no_allocation::<2>();
}

#[test]
fn spatial_contacts() {
    assert_no_allocation::<3>();
}

/// Rounds and intervals of a handler that has seen impacts as large.
#[test]
fn impacts_one_after_another() {
    let mut handler = PlusHandler::new(Plus::default());
    let (mut plain, mut allocating) = (0, Vec::new());
    for warm in [false, true] {
        for index in 0..400 {
            let contacts = [1, 2, 4, 8, 16][index as usize % 5];
            let brick = landing(&mut Rng::for_item(5, index), contacts);
            let jacobian = brick.jacobian.concat();
            let mut velocity = brick.velocity.clone();
            let (remedied, allocations) = allocations_of(|| {
                let answer =
                    handler.resolve(&brick.mass, &jacobian, &mut velocity, &brick.contacts);
                let acts = |(_, times): &(&str, u32)| *times > 0;
                answer.is_err()
                    || answer.is_ok_and(|e| e.fallbacks > 0 || e.remedies.named().iter().any(acts))
            });
            if warm && !remedied {
                plain += 1;
                if allocations > 0 {
                    allocating.push((index, contacts, allocations));
                }
            }
        }
    }
    // (index, contacts, allocations)
    assert_eq!(allocating, [], "of {plain} impacts");
    assert!(plain > 300, "only {plain} impacts without remedies");
}

/// Simultaneous laws with friction in memory that has seen impacts as large. Where many starts fail, modes are listed.
#[test]
fn impacts_in_lent_memory() {
    let mut workspace = CoulombWorkspace::default();
    for warm in [false, true] {
        for index in 0..400 {
            let contacts = [1, 2, 4, 8, 16][index as usize % 5];
            let problem = landing(&mut Rng::for_item(5, index), contacts).problem();
            let tolerances = Tolerances::NOMINAL;
            let (newton, first) = allocations_of(|| {
                NewtonCoulomb::default().resolve_in(&problem, &tolerances, &mut workspace).is_ok()
            });
            let (poisson, second) = allocations_of(|| {
                PoissonCoulomb::default().resolve_in(&problem, &tolerances, &mut workspace).is_ok()
            });
            assert!(newton && poisson, "impact {index}");
            if warm {
                assert_eq!([first, second], [0, 0], "impact {index}, {contacts} contacts");
            }
        }
    }
}
