//! Mosterman's Table 1 as the model has it: `cargo run -p carom-sim --example spring_chain`.

use carom_sim::spring_chain::{SpringChain, SpringContact};

fn main() -> Result<(), carom::ImpactError> {
    println!("  m3   R12   R23          v1          v2          v3   lost [J]  duration  phases");
    for m3 in [1000.0, 1.0] {
        for damping in [[0.05, 0.05], [50.0, 0.05], [0.05, 50.0]] {
            let contacts = damping.map(|damping| SpringContact { stiffness: 10.0, damping });
            let chain =
                SpringChain::new(vec![1.0, 1.0, m3], vec![1.0, 0.0, 0.0], contacts.to_vec())?;
            let outcome = chain.collide()?;
            let [v1, v2, v3] = [0, 1, 2].map(|i| outcome.velocity[i]);
            println!(
                "{m3:4} {:5} {:5} {v1:11.7} {v2:11.7} {v3:11.8} {:10.7} {:9.6}  {:?}",
                damping[0],
                damping[1],
                outcome.dissipated,
                outcome.duration,
                outcome.contacts.iter().map(|c| c.phases).collect::<Vec<_>>(),
            );
        }
    }
    Ok(())
}
