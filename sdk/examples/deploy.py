"""A release that tells roost how it does: `roost run -n deploy -- python3 sdk/examples/deploy.py`, then `roost reply deploy yes`.

It runs anywhere else too.
"""

import sys
import time

from roost_agent import Agent

STEPS = ["building", "testing"]


def main() -> int:
    with Agent.from_env(name="deploy", version="1.0") as agent:
        for step in STEPS:
            agent.working(step)
            print(step, flush=True)
            time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
        # Outside roost nobody can be asked, and so nothing is deployed.
        if agent.ask("Deploy to production?", choices=["yes", "no"], default="no") != "yes":
            agent.idle("not deployed")
            return 1
        agent.working("deploying")
        print("deployed", flush=True)
        agent.idle("deployed; say what else there is, or quit")
        for reply in agent.replies(timeout=None if agent.speaks else 0):
            if reply.text == "quit":
                break
            agent.working(reply.text)
            print(reply.text, flush=True)
            agent.idle("done: " + reply.text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
