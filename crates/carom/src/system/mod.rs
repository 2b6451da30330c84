//! Where contact problems come from, and the way back to the velocities of bodies.
