use carom::outcome::{NoWatch, ProblemEffort};
use carom::{MultiImpactLaw, MultiLaw, Tolerances};
use carom_testkit::generate::{Blow, hexagonal_pack};
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args[1].parse().unwrap();
    let blow = if args[2] == "hit" { Blow::LocalHit } else { Blow::Implosion };
    let law = MultiLaw::from_id(&args[3]).unwrap();
    let t = Instant::now();
    let pack = hexagonal_pack(n, blow, 0.5);
    println!("made {:.3}", t.elapsed().as_secs_f64());
    let t = Instant::now();
    let out = law.resolve(pack.problem(), &Tolerances::NOMINAL, &mut NoWatch);
    let time = t.elapsed().as_secs_f64();
    match out {
        Ok(out) => {
            let ProblemEffort::Several(e) = out.effort else { panic!() };
            println!("{time:.3} s {e:?}");
        }
        Err(e) => println!("{time:.3} s {e}"),
    }
}
