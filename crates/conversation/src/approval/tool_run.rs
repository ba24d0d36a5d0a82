//! One run of a tool that the user is to decide: its arguments, which of them were opened, and the
//! choice. The answer to a whole batch is not here.

use assent_protocol::{
    ApprovalRequest, ApprovalStatus, BatchId, ExecutionId, RawApprovalRequest, StoredToolApproval,
    Timestamp,
};

use super::{
    grant_offer::GrantOffer,
    length::{FOLD_ABOVE_CHARACTERS, FOLD_ABOVE_LINES, count_lines, is_long_member},
    obstacle::{Obstacle, Provenance},
    verdict::Verdict,
};
use crate::{Millis, RequestVersion};

/// What decided where no decision came in time, as a stored message says it.
const BY_TIMEOUT: &str = "timeout";

fn end_of(time: Option<&Timestamp>) -> Option<Millis> {
    time?.epoch_millis().map(Millis)
}

/// One tool run that asks for approval, from a streamed or a stored request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRun {
    /// The tool's identifier, to compare one call of it with the next; may be empty.
    pub tool: String,
    /// The identifier of this run.
    pub execution: ExecutionId,
    /// The tool's display name.
    pub name: String,
    /// The name of who offers the tool, as the service says; may be empty.
    pub provider: String,
    /// The category of the tool, as the service says; may be empty.
    pub category: String,
    /// The argument names and values, in the order they came.
    pub arguments: Vec<(String, String)>,
    /// The status of the run according to the service, such as pending or approved.
    pub status: ApprovalStatus,
    /// The user's verdict so far; `None` if there is none yet.
    pub choice: Option<Verdict>,
    /// The reason why the service asks; may be empty.
    pub reason: String,
    /// What the tool does: `reads`, `writes` or `deletes`; empty or another word if that is not
    /// known.
    pub effect: String,
    /// Who says what the tool does: `policy` or `server`; empty if `effect` is.
    pub effect_source: String,
    /// True if the tool is defined otherwise than when it was last approved.
    pub definition_changed: bool,
    /// The definition of a tool that is new or has changed: names and values that were not accepted
    /// yet. Empty if the service does not tell them; only if it does, the definition can be
    /// accepted.
    pub definition: Vec<(String, String)>,
    /// The tool's definition when it was last accepted; empty if it never was.
    pub accepted_definition: Vec<(String, String)>,
    /// The time from which on the service takes no decision any more; `None` if it waits for ever.
    pub expires_at: Option<Millis>,
    /// True if the run was denied because no decision came in time.
    pub is_expired: bool,
    /// How calls of the tool can be allowed beforehand; `None` if they cannot.
    pub grant_offer: Option<Box<GrantOffer>>,
    /// What the user allows beforehand with the approval, as the JSON of `grant` in the answer; `None`
    /// if that was not chosen.
    pub grant: Option<String>,
    /// What the user wants to run in place of the arguments, as the JSON of `editedArguments` in the
    /// answer; `None` if nothing was changed.
    pub edited: Option<String>,
    /// False if the tool does not take what the user wrote: it cannot be approved so.
    pub is_edit_valid: bool,
    /// The stored request of a run that was decided, in its streamed form; `None` until it is known.
    pub stored: Option<RawApprovalRequest>,
    /// The request to echo; `None` if only a part of it is known, which cannot be answered.
    pub request: Option<RawApprovalRequest>,
    /// True if the request came by a stream: it is kept on the device. False for one that the
    /// stored message has whole, on whatever device.
    pub is_cached: bool,
    /// The origin of what is shown of the request: the service or the device.
    pub provenance: Provenance,
    /// The indices of the long arguments that the user opened. They stay opened: their text could
    /// be read.
    pub opened: Vec<usize>,
    /// The indices of the arguments that had the same value in the last call of the tool, if that
    /// call was approved. Who approved it has read them: they need not be opened.
    pub known: Vec<usize>,
    /// The version of the request, a number that differs for each request that is drawn; the
    /// default until `State` gives one.
    pub version: RequestVersion,
    /// True once all of the request was on the screen, or the user went into it with the focus.
    pub is_seen: bool,
}

impl ToolRun {
    /// Makes a run from a streamed request; `None` if it names no execution or batch.
    #[must_use]
    pub fn from_streamed(raw: RawApprovalRequest) -> Option<(BatchId, Self)> {
        let request: ApprovalRequest = raw.read()?;
        let run = Self {
            tool: request.tool_id,
            execution: request.tool_execution_id,
            name: request.tool_name,
            provider: request.tool_provider,
            category: request.tool_category,
            edited: None,
            is_edit_valid: true,
            stored: None,
            arguments: request.tool_arguments,
            status: request.approval_result,
            choice: None,
            reason: request.reason,
            effect: request.effect,
            effect_source: request.effect_source,
            definition_changed: request.definition_changed,
            definition: changed_members(request.definition, &request.accepted_definition),
            accepted_definition: request.accepted_definition,
            expires_at: end_of(request.expires_at.as_ref()),
            is_expired: false,
            grant_offer: GrantOffer::new(&request.grant_scopes, request.grant_max_seconds),
            grant: None,
            request: Some(raw),
            is_cached: true,
            provenance: Provenance::Service,
            opened: Vec::new(),
            known: Vec::new(),
            version: RequestVersion::default(),
            is_seen: false,
        };
        Some((request.tool_execution_batch_id, run))
    }

    /// Makes a run from a stored message, and names its batch.
    #[must_use]
    pub fn from_stored(stored: &StoredToolApproval) -> (BatchId, Self) {
        let arguments = stored.tool_arguments.clone();
        let provenance = match arguments {
            Some(_) => Provenance::Service,
            None => Provenance::Contradicted,
        };
        let run = Self {
            tool: stored.tool_id.clone(),
            execution: stored.tool_execution_id.clone(),
            name: stored.name.clone(),
            provider: stored.provider.clone(),
            category: stored.category.clone(),
            edited: None,
            is_edit_valid: true,
            stored: None,
            arguments: arguments.unwrap_or_default(),
            status: stored.status.clone(),
            choice: None,
            reason: stored.reason.clone(),
            effect: stored.effect.clone(),
            effect_source: stored.effect_source.clone(),
            definition_changed: stored.definition_changed,
            definition: changed_members(stored.definition.clone(), &stored.accepted_definition),
            accepted_definition: stored.accepted_definition.clone(),
            expires_at: end_of(stored.expires_at.as_ref()),
            is_expired: stored.decided_by == BY_TIMEOUT,
            grant_offer: GrantOffer::new(&stored.grant_scopes, stored.grant_max_seconds),
            grant: None,
            request: stored.request.clone(),
            is_cached: false,
            provenance,
            opened: Vec::new(),
            known: Vec::new(),
            version: RequestVersion::default(),
            is_seen: false,
        };
        (stored.execution_batch_id.clone(), run)
    }

    /// Returns what is read before the decision: the arguments, then the definition of the tool.
    fn texts_to_read(&self) -> impl Iterator<Item = &(String, String)> {
        self.arguments.iter().chain(&self.definition)
    }

    /// Returns true if the text at index `place`, of the arguments and then the definition, is too
    /// long to be read at a glance, and was not opened.
    #[must_use]
    pub fn is_folded(&self, place: usize) -> bool {
        let text = self.texts_to_read().nth(place);
        let is_read = self.opened.contains(&place) || self.known.contains(&place);
        text.is_some_and(is_long_member) && !is_read
    }

    /// Returns true if the text at index `place`, of the arguments and then the definition, is too
    /// long to be read at a glance, and was opened, or read in an earlier call.
    #[must_use]
    pub fn is_opened(&self, place: usize) -> bool {
        let text = self.texts_to_read().nth(place);
        text.is_some_and(is_long_member) && !self.is_folded(place)
    }

    /// Returns the reason why a run that can be answered cannot be approved; `None` if it can be.
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        match self.provenance {
            Provenance::Contradicted => Some(Obstacle::Contradicted),
            Provenance::Device => Some(Obstacle::Unconfirmed),
            Provenance::Service => {
                let mut places = 0..self.texts_to_read().count();
                let is_folded = places.any(|place| self.is_folded(place));
                let is_unseen = !self.is_seen && self.is_long();
                let folded = is_folded.then_some(Obstacle::Folded);
                let folded = folded.or((!self.is_edit_valid).then_some(Obstacle::InvalidEdit));
                folded.or(is_unseen.then_some(Obstacle::Unseen))
            }
        }
    }

    /// Returns true if arguments and definition together are too long to be read at a glance.
    fn is_long(&self) -> bool {
        let texts = self.texts_to_read().flat_map(|(name, value)| [name, value]);
        let characters: usize = texts.map(|text| text.chars().count()).sum();
        let values = self.texts_to_read().map(|(_, value)| value);
        let lines: usize = values.map(|value| count_lines(value).max(1)).sum();
        characters > FOLD_ABOVE_CHARACTERS || lines > FOLD_ABOVE_LINES
    }

    /// Returns true if the run can be answered, and nothing keeps it from being approved: the user
    /// could read all of the request, as the service has it.
    #[must_use]
    pub fn can_be_approved(&self) -> bool {
        self.can_be_answered() && self.obstacle().is_none()
    }

    /// Returns true if the service waits for a decision, and the request to echo is here.
    pub(crate) fn can_be_answered(&self) -> bool {
        self.request.is_some() && self.status == ApprovalStatus::Pending
    }

    /// Returns the verdict and the request to echo, with what is allowed beforehand; `None` while
    /// there is no verdict that can be sent.
    pub(super) fn verdict_and_request(&self) -> Option<(Verdict, RawApprovalRequest)> {
        let verdict = self
            .choice
            .filter(|verdict| self.allows_verdict(*verdict))?;
        let request = self.request.as_ref()?;
        let grant = self.grant.as_ref();
        let request = match grant.filter(|_| verdict == Verdict::ApproveBeforehand) {
            Some(grant) => request.with_grant(grant),
            None => request.clone(),
        };
        let edited = self.edited.as_ref();
        let request = match edited.filter(|_| verdict != Verdict::Deny) {
            Some(edited) => request.with_edits(edited),
            None => request,
        };
        Some((verdict, request))
    }

    /// Sets what is allowed beforehand with the approval, as JSON, if the request lets that be.
    pub(crate) fn allow_beforehand(&mut self, grant: &str) {
        if self.grant_offer.is_some() {
            self.grant = Some(grant.to_owned());
        }
    }

    /// Opens the long text at index `place`, of the arguments and then the definition.
    pub(crate) fn open_text(&mut self, place: usize) {
        if self.is_folded(place) {
            self.opened.push(place);
        }
    }

    /// Returns the indices of the arguments that `last`, the last call of the tool, had with
    /// exactly the same value, if it was approved as the service has it, and the tool is still what
    /// it was. An argument whose name comes twice is left out: which value counts is not certain.
    pub(crate) fn same_arguments_as(&self, last: &Self) -> Vec<usize> {
        let is_approved =
            last.status == ApprovalStatus::Approved && last.provenance == Provenance::Service;
        let is_same_tool = !self.definition_changed && self.definition.is_empty();
        if !is_approved || !is_same_tool {
            return Vec::new();
        }
        let count = |run: &Self, name: &str| {
            let names = run.arguments.iter().map(|(name, _)| name);
            names.filter(|it| *it == name).count()
        };
        let is_known = |(place, argument): (usize, &(String, String))| {
            let (name, _) = argument;
            let is_alone = count(self, name) == 1 && count(last, name) == 1;
            (is_alone && last.arguments.contains(argument)).then_some(place)
        };
        self.arguments
            .iter()
            .enumerate()
            .filter_map(is_known)
            .collect()
    }

    /// Sets the verdict. An approval that is not possible now ([`Self::allows_verdict`]) is
    /// ignored: the user could not read the whole request, or it cannot be answered.
    pub(crate) fn decide(&mut self, verdict: Verdict) {
        if self.allows_verdict(verdict) {
            self.choice = Some(verdict);
        }
    }

    /// Returns true if this verdict is possible now.
    pub(crate) fn allows_verdict(&self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Approve => self.can_be_approved(),
            Verdict::ApproveDefinition => self.can_be_approved() && !self.definition.is_empty(),
            Verdict::ApproveBeforehand => self.can_be_approved() && self.grant.is_some(),
            Verdict::ApproveCovered => self.can_be_approved() && self.is_seen,
            Verdict::Deny => true,
        }
    }

    /// Returns true if `asked` is another request for the same tool run, and has to be shown in
    /// place of this one.
    pub(super) fn is_other_request(&self, asked: &Self) -> bool {
        let is_known = self.provenance == Provenance::Service;
        let is_news = asked.provenance == Provenance::Service && !is_known;
        self.request != asked.request || is_news
    }

    /// Takes over from the stored run what has become of this one.
    pub(crate) fn take_outcome(&mut self, stored: Self) {
        self.status = stored.status;
        self.is_expired = stored.is_expired;
        if self.status != ApprovalStatus::Pending {
            self.stored = stored.request;
        }
    }

    /// Completes this run of a stored request with the cached request, which has what the answer
    /// echoes. If the two differ, the stored one is shown, and echoed if the service tells all of
    /// it.
    pub(crate) fn completed_by(self, cached: Self) -> Self {
        if self.provenance == Provenance::Service && self.agrees_with(&cached) {
            return Self {
                status: self.status,
                // The service's own words, whatever the device kept of them.
                reason: self.reason,
                effect: self.effect,
                effect_source: self.effect_source,
                definition_changed: self.definition_changed,
                definition: self.definition,
                accepted_definition: self.accepted_definition,
                grant_offer: self.grant_offer,
                expires_at: self.expires_at,
                is_expired: self.is_expired,
                ..cached
            };
        }
        Self {
            is_cached: self.request.is_none(),
            request: self.request.or(cached.request),
            provenance: Provenance::Contradicted,
            ..self
        }
    }

    /// Returns true if this stored request says the same as another request for the same run. What
    /// only one of the two tells is not compared.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        let count =
            |run: &Self, argument| run.arguments.iter().filter(|it| *it == argument).count();
        let is_in_both = |argument| count(self, argument) == count(other, argument);
        let echoed = |run: &Self| {
            let request = run.request.as_ref()?.read()?;
            Some((
                request.tool_memory_id,
                request.reason,
                (request.effect, request.effect_source),
                request.definition_changed,
                request.definition,
                request.accepted_definition,
            ))
        };
        self.tool == other.tool
            && self.name == other.name
            && self.provider == other.provider
            && self.category == other.category
            && self.arguments.len() == other.arguments.len()
            && self.arguments.iter().all(is_in_both)
            && (self.request.is_none() || echoed(self) == echoed(other))
    }

    /// Returns true if both are calls of one tool.
    pub(crate) fn is_same_tool(&self, other: &Self) -> bool {
        if self.tool.is_empty() || other.tool.is_empty() {
            self.name == other.name && self.provider == other.provider
        } else {
            self.tool == other.tool
        }
    }
}

/// Returns the members of a definition that are not among the accepted ones.
fn changed_members(
    mut definition: Vec<(String, String)>,
    accepted: &[(String, String)],
) -> Vec<(String, String)> {
    definition.retain(|member| !accepted.contains(member));
    definition
}
