//! The permissible region of one contact: all impulses that mechanics allows, whatever the law.

use carom::region::PermissibleRegion;
use carom::{Contact, ContactVec, Delassus, ImpactError, Law, Material, Tolerances, Unobserved};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    let disk = Contact::new(
        Delassus::new([[1.0, 0.0], [0.0, 3.0]])?,
        ContactVec::new([-1.0, 2.0]),
        Material::new(0.5, 0.3)?,
    )?;
    let tolerances = Tolerances::default();
    let region = PermissibleRegion::new(&disk, &tolerances)?;

    println!("area {:?} (N·s)²", region.volume(1e-9)?);
    let boundary = region.polyline(16)?;
    println!("boundary of {} points, for example {:?}", boundary.len(), boundary[0].impulse);
    if let Some(best) = region.largest_restitution() {
        println!("e = {} is the largest that any permissible impulse has", best.e);
    }

    // Where one law stands in it: each inequality with its margin.
    let law = Law::from_id("routh-stronge")?;
    let impulse = law.resolve_contact(&disk, &tolerances, &mut Unobserved)?.impulse;
    for (inequality, margin) in region.margins(&impulse).each() {
        println!("{:<16} {:.4}", inequality.name(), margin.value);
    }
    assert!(region.contains(&impulse));
    assert!(!region.contains(&ContactVec::new([3.0, 0.0])));
    Ok(())
}
