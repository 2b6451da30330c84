//! Known answers, slow oracles and generators that carom's tests and benches share.
