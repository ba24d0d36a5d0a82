//! Which other requests of a batch are chosen together with what a person allows beforehand
//! (extension `grants`).

use assent_protocol::{Json, Object, RawApprovalRequest};

use super::{ApprovalBatch, ToolRun, Verdict};
use crate::RequestVersion;

impl ApprovalBatch {
    /// Chooses [`Verdict::ApproveCovered`] for each undecided run that was seen, can be approved,
    /// and is covered by what the user allows beforehand with the run of this version.
    pub(crate) fn choose_covered(&mut self, version: RequestVersion) {
        let Some(allowed) = self
            .tools
            .iter()
            .find(|run| run.version == version)
            .cloned()
        else {
            return;
        };
        let tools = self.tools.iter_mut();
        tools
            .filter(|run| run.choice.is_none() && covers(&allowed, run))
            .for_each(|run| run.decide(Verdict::ApproveCovered));
    }

    /// Leaves undecided again what was chosen together with something that is not allowed
    /// beforehand any more.
    pub(crate) fn drop_uncovered(&mut self) {
        let uncovered =
            |run: &ToolRun| run.choice == Some(Verdict::ApproveCovered) && !self.is_covered(run);
        let uncovered: Vec<bool> = self.tools.iter().map(uncovered).collect();
        for (run, is_uncovered) in self.tools.iter_mut().zip(uncovered) {
            if is_uncovered {
                run.choice = None;
            }
        }
    }

    /// Returns true if what the user allows beforehand with a run of the batch covers this one.
    pub(crate) fn is_covered(&self, run: &ToolRun) -> bool {
        self.tools.iter().any(|allowed| covers(allowed, run))
    }
}

/// Returns true if what the user allows beforehand with `allowed` covers the call `run`, as the
/// service would find: the same tool, which is what it was, with the same names of arguments and
/// the same values where these are fixed. In doubt it does not.
fn covers(allowed: &ToolRun, run: &ToolRun) -> bool {
    let count = |run: &ToolRun, name: &str| {
        let names = run.arguments.iter().map(|(name, _)| name);
        names.filter(|it| *it == name).count()
    };
    let is_unchanged = |run: &ToolRun| !run.definition_changed && run.definition.is_empty();
    allowed.choice == Some(Verdict::ApproveBeforehand)
        && !allowed.tool.is_empty()
        && allowed.tool == run.tool
        // A call that a rule asks about comes without an offer.
        && allowed.grant_offer.is_some()
        && allowed.grant_offer == run.grant_offer
        && is_unchanged(allowed)
        && is_unchanged(run)
        && allowed.arguments.len() == run.arguments.len()
        && allowed
            .arguments
            .iter()
            .all(|(name, _)| count(allowed, name) == 1 && count(run, name) == 1)
        && has_fixed_values(allowed, run) == Some(true)
}

/// Returns true if `run` has the values that what is allowed with `allowed` fixes; `None` if that
/// cannot be told. The JSON of the values is compared: as texts, a number and its digits in quotes
/// would be the same.
fn has_fixed_values(allowed: &ToolRun, run: &ToolRun) -> Option<bool> {
    let grant = Json::new(allowed.grant.as_ref()?)?.object()?;
    let Some(when) = grant.get("when") else {
        return Some(true);
    };
    let arguments = arguments_of(allowed.request.as_ref()?)?;
    let others = arguments_of(run.request.as_ref()?)?;
    for (pointer, condition) in when.object()?.members() {
        let name = pointer.strip_prefix('/').filter(|it| !it.contains('/'))?;
        let name = name.replace("~1", "/").replace("~0", "~");
        let value = arguments.get(&name)?;
        if condition.as_str() != "\"same\"" || others.get(&name)?.as_str() != value.as_str() {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns the arguments as the service sent them.
fn arguments_of(request: &RawApprovalRequest) -> Option<Object<'_>> {
    let request = Json::new(request.as_str())?.object()?;
    request.get("toolArguments")?.object()
}
