//! Two textbook impacts whose energies many programs have been asked for.

use carom::{Contact, ContactVec, Delassus, Material};

fn contact(w: [[f64; 2]; 2], u: [f64; 2], e: f64) -> Contact<2> {
    let build = || Contact::new(Delassus::new(w)?, ContactVec::new(u), Material::new(0.5, e)?);
    build().unwrap_or_else(|error| panic!("{error}"))
}

/// Kane's double pendulum: two rods of 1 m and 1 kg hang from a pin, 20° and 30° off the vertical, turning at −0.1
/// and −0.2 rad/s; the tip strikes the floor, μ = 0.5. The contact and the kinetic energy before \[J\].
pub fn kane_pendulum(e: f64) -> (Contact<2>, f64) {
    let (first, second) = (20f64.to_radians(), 30f64.to_radians());
    // Uniform rods: H = [[4/3, cos(θ1 − θ2)/2], [same, 1/3]]; the tip is at (sin θ1 + sin θ2, −cos θ1 − cos θ2).
    let mixed = 0.5 * libm::cos(first - second);
    let mass = [[4.0 / 3.0, mixed], [mixed, 1.0 / 3.0]];
    let determinant = mass[0][0] * mass[1][1] - mixed * mixed;
    let inverse = [
        [mass[1][1] / determinant, -mixed / determinant],
        [-mixed / determinant, mass[0][0] / determinant],
    ];
    let jacobian = [[libm::sin(first), libm::sin(second)], [libm::cos(first), libm::cos(second)]];
    let rates = [-0.1, -0.2];
    let form = |x: [f64; 2], m: [[f64; 2]; 2], y: [f64; 2]| -> f64 {
        (0..4).map(|i| x[i / 2] * m[i / 2][i % 2] * y[i % 2]).sum()
    };
    let coupling = form(jacobian[0], inverse, jacobian[1]);
    let w = [
        [form(jacobian[0], inverse, jacobian[0]), coupling],
        [coupling, form(jacobian[1], inverse, jacobian[1])],
    ];
    let u = jacobian.map(|row| row[0] * rates[0] + row[1] * rates[1]);
    (contact(w, u, e), 0.5 * form(rates, mass, rates))
}

/// A planar square of side 0.2 m and mass 1 kg, tilted by 30°, lands on a corner with velocity (1, −1) m/s; μ = 0.5.
/// The contact and the kinetic energy before \[J\].
pub fn box_corner(e: f64) -> (Contact<2>, f64) {
    let side: f64 = 0.2;
    let inertia = side * side / 6.0;
    // The corner lies half a diagonal from the centre, 45° − 30° off the vertical.
    let (reach, angle) = (side / f64::sqrt(2.0), 15f64.to_radians());
    let (along, down) = (-reach * libm::sin(angle), -reach * libm::cos(angle));
    let w = [
        [1.0 + along * along / inertia, -along * down / inertia],
        [-along * down / inertia, 1.0 + down * down / inertia],
    ];
    (contact(w, [-1.0, 1.0], e), 1.0)
}
