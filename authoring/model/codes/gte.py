"""Codes that begin with ``GTE``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "GTE001",
        "Nothing was judged.",
        "No task of the release could be asked of the candidate; a gate is never open because nothing was "
        "judged.",
        "Give a release that holds contracts of this package, or answers to its tasks.",
    ),
    Code(
        "GTE002",
        "The grader failed.",
        "More verdicts than the policy allows were the tool's or the machine's own fault; they are "
        "counted against nobody.",
        "Run `authoring doctor`, then the gate again.",
    ),
    Code(
        "GTE004",
        "A release cannot be judged by.",
        "Its manifest, a task or its evidence is missing, malformed or edited, or its tag names another "
        "manifest.",
        "Run `authoring verify VERSION`, and restore what it names from the history.",
    ),
    Code(
        "GTE005",
        "A line of the predictions cannot be used.",
        "Predictions are a JSON object a line, with the task's id and either files (text by path) or a "
        "patch; a task comes"
        "once.",
        "Mend the line that the message names.",
    ),
    Code(
        "GTE006",
        "The agent's command cannot be run.",
        "The shell does not find it or may not run it.",
        "Give an absolute path: the command runs in a fresh folder.",
    ),
    Code(
        "GTE007",
        "The gate is closed.",
        "The candidate does not meet the policy; the reasons name tasks, verdicts and counts.",
        "Mend the candidate. The policy is in the configuration: `authoring config show`.",
    ),
    Code(
        "GTE008",
        "The tag exists.",
        "A tag never moves: what it says about a revision stays said.",
        "Choose another name.",
    ),
    Code(
        "GTE009",
        "There is no such tag of a gate.",
        "The clone has no annotated tag of that name whose message ends with Release, Manifest, Decision "
        "and Claim.",
        "Fetch the tags of the clone, and name the repository that was judged with --repo.",
    ),
    Code(
        "GTE010",
        "A gate's tag does not hold.",
        "What the tag names is not what the workspace holds, or it is on another commit than the one that "
        "was judged.",
        "Do not rely on it; run the gate again.",
    ),
)
