//! One file for each fault that was found: its symptom, its cause, how it was mended, and the input that showed it.

mod begun_slip_forgotten;
mod bounce_in_mid_air;
mod creeping_slip;
mod endless_searches;
mod friction_drives_slip;
mod gain_at_the_last;
mod gain_beside_light_masses;
mod grazing_lock;
mod light_between_heavy;
mod little_freedom;
mod locked_tip;
mod matrix_larger_than_memory;
mod parted_by_rounding;
mod return_within_a_step;
mod rough_beyond_all;
mod rough_walls;
mod rounds_at_their_limits;
mod skew_contacts;
mod uneven_feet;
mod vanishing_restitution;
mod walls_closing_on_a_ball;
mod wedge_that_hardly_opens;
mod work_without_end;
