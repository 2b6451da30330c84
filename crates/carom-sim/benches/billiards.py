"""Times a break of 15 balls by pooltool, to stand beside the line `pooltool` of the bench `motion`.

    pip install pooltool-billiards==0.3.3
    python billiards.py

pooltool follows balls from event to event too: closed forms between them (sliding, rolling, spinning), polynomials for the
times at which they meet, kernels compiled by Numba. Its table has pockets, its balls spin, and ball and cushion rub; the
scene of the bench has none of that. Its first break compiles the kernels and is not counted.
"""

import time

import pooltool as pt


def breaks(v0):
    table = pt.Table.default()
    balls = pt.get_rack(pt.GameType.EIGHTBALL, table=table)
    cue = pt.Cue(cue_ball_id="cue")
    system = pt.System(cue=cue, table=table, balls=balls)
    system.strike(V0=v0, phi=pt.aim.at_ball(system, "1"))
    begin = time.thread_time()
    pt.simulate(system, inplace=True)
    spent = time.thread_time() - begin
    kinds = {}
    for event in system.events:
        kinds[str(event.event_type)] = kinds.get(str(event.event_type), 0) + 1
    return spent, system.t, kinds


def main():
    breaks(8.0)
    for _ in range(5):
        spent, duration, kinds = breaks(8.0)
        total = sum(kinds.values())
        print(f"{1e3 * spent:.1f} ms for {duration:.2f} s and {total} events: {1e6 * spent / total:.0f} us each; {kinds}")


main()
