"""What a test with a real agent has at hand."""

from dataclasses import dataclass

from tests.realagents.model import ScriptedModel
from tests.realagents.workplace import Workplace
from tests.support.person import Person
from tests.support.tmux import Tmux


@dataclass(frozen=True, slots=True)
class Scene:
    """A person at a pane in the agent's repository, and the model that the agent will talk to.

    `agent` is the profile's name, `settings` those of the pane's terminal before anything ran in it.
    """

    agent: str
    person: Person
    pane: Tmux
    model: ScriptedModel
    workplace: Workplace
    settings: str

    def command(self, *options: str, task: str | None = None) -> list[str]:
        """The arguments of `roost` that start the agent, with what it needs after `--`."""
        words = ["run", self.agent, *([task] if task else []), *options]
        return [*words, "--", *self.workplace.args] if self.workplace.args else words
