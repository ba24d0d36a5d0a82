/** Types of the element that `assent.js` defines. Importing the file defines `<assent-chat>`; it exports nothing else. */

export interface AssentChatElement extends HTMLElement {
  /**
   * Resolves when the chat can be used. Pending until something makes it load: opening, or coming into view. Rejects with
   * an `AssentError` when it could not be loaded, is not set up, or is taken out of the page; another attempt has a new one.
   */
  readonly ready: Promise<void>;
  /**
   * Shows the panel of launcher mode. Takes the focus only while a click or key of the user is being handled.
   * Set to something else, as frameworks do with a property of an attribute's name, it sets the attribute.
   */
  get open(): () => void;
  set open(shown: boolean | string | null | undefined | (() => void));
  /** Hides the panel of launcher mode. A focus inside it returns to the launcher. */
  close(): void;
  /** Opens a closed panel, closes an open one. */
  toggle(): void;
  /**
   * Shows an empty conversation. Before the chat is loaded, this and the next five methods make it load, and wait for it.
   * They reject with an `AssentError`: at once where the chat is not in a page or could not be loaded, and when it ends.
   */
  newThread(): Promise<void>;
  /** Shows this conversation. Settles when it was read. */
  openThread(threadId: string): Promise<void>;
  /** Names this conversation. Settles when the service has the name. */
  renameThread(threadId: string, name: string): Promise<void>;
  /** Deletes this conversation, without asking. Settles when it is gone. */
  deleteThread(threadId: string): Promise<void>;
  /**
   * Sends a message in the conversation that is shown; what the person is typing stays. Settles when the answer is whole,
   * which may be after decisions of the person; rejects with the error that is shown.
   */
  send(content: string | ContentItem[]): Promise<void>;
  /**
   * Removes what this browser keeps for this service, agent and user, without asking: drafts, unsent messages, requests for
   * approval that wait, the last conversation, and how answers came about. What is on the page stays. Settles when it is gone.
   * With `everything`: of all services, agents and users, here and in other tabs, for a sign-out. This needs neither the
   * chat to be loaded nor the element to be in a page.
   */
  forget(options?: { everything?: boolean }): Promise<void>;
  /** Ends the answer that is being written, if the service offers that; otherwise stops listening to it. */
  stop(): void;
  /** The current values; a copy. */
  readonly state: AssentState;
  /**
   * Gives the token for the service, as a text or a promise of one: `initial` when none is held, `expired` after one was
   * refused. Called once for requests at the same time. The token is kept in memory alone. It goes before `api-key`.
   */
  tokenProvider: ((reason: "initial" | "expired") => string | Promise<string>) | null;
  /** Gives headers for each request. They do not take the place of those that the chat sends itself. */
  requestHeaders: (() => Record<string, string> | Promise<Record<string, string>>) | null;
  /** Takes files that go with a message or feedback. May be set at any time; without one no files can be attached. */
  uploader: Uploader | null;
  /**
   * Texts that an empty conversation offers as buttons; pressing one sends it. May be set at any time. `null` and an empty
   * list: none. A blank text is left out. Read, it is a copy of what was set.
   */
  get suggestions(): readonly string[] | null;
  set suggestions(texts: readonly string[] | null | undefined);
  /**
   * Says which addresses links in answers may lead to. Without one: `http`, `https`, `mailto` and `tel`.
   * May be set at any time. Only `true` allows; addresses that run or hold something (`javascript:`, `data:`) stay forbidden.
   */
  linkPolicy: AddressPolicy | null;
  /** Says from where images in answers are loaded without being asked for. Without one: from nowhere. */
  imagePolicy: AddressPolicy | null;
  /**
   * The chat's texts in the words of the page. What is left out is in the language of the attribute `locale`, or English.
   * May be set at any time. The rules of that language say which number takes which form.
   */
  get strings(): Strings | null;
  set strings(texts: Strings | null | undefined);
}

export interface AssentState {
  /** Not wanted yet; on its way; in use; not set up or not loaded; ended by an unexpected problem. */
  phase: "idle" | "loading" | "ready" | "failed" | "stopped";
  /** The conversation that is shown; `null` where it has no message yet, and before `ready`. */
  threadId: string | null;
  /** An answer is being written in it, or a message is on its way. */
  streaming: boolean;
  /** The number of answers that came while the panel was closed or the tab hidden. */
  unread: number;
  /** How many actions wait for approval, in all conversations. */
  pendingApprovals: number;
  /** Whether the browser says that it has a network. */
  online: boolean;
}

/** A part of a message. Files are named as the service knows them. */
export type ContentItem =
  | { type: "text"; text: string }
  | { type: "document"; fileId: string }
  | { type: "image"; imageId: string };

export type ErrorCode =
  /** What requests come to. */
  | "unreachable" | "offline" | "blocked" | "redirected" | "unauthorized" | "forbidden" | "not-found" | "too-many-requests" | "rejected" | "service" | "unreadable"
  /** What messages, answers and decisions come to. */
  | "agent" | "not-delivered" | "unconfirmed" | "interrupted" | "stopped" | "other-tab"
  /** What the page did: a listener kept a message, a provider gave nothing, a method cannot do what it was asked. */
  | "withheld" | "no-access" | "invalid"
  /** A message cannot be sent now. */
  | "busy" | "undecided"
  /** The chat is not running. */
  | "not-set-up" | "not-allowed" | "name-taken" | "not-loaded" | "stopped-working" | "unavailable";

export interface ErrorDetail {
  code: ErrorCode;
  /** A sentence for people. */
  message: string;
  /** HTTP status, where the service answered. */
  status?: number;
  /** Whether trying again can help. */
  recoverable: boolean;
}

/** What promises of methods are rejected with. */
export interface AssentError extends Error, ErrorDetail {}

/** Judges an address that an answer names. One that throws has not allowed it. */
export type AddressPolicy = (url: URL) => boolean;

/**
 * Uploads one file, and says what the service calls it.
 * The message of an `Error` that it throws, or rejects with, is shown if it is short.
 */
export type Uploader = (file: File, context: UploadContext) => UploadedFile | Promise<UploadedFile>;

export interface UploadContext {
  /** Aborts when the file is taken away, or the chat ends. */
  signal: AbortSignal;
  /** Says how much of the file is uploaded, from 0 to 1. */
  progress(fraction: number): void;
}

/** A document or an image, by its identifier. */
export type UploadedFile = { fileId: string; imageId?: undefined } | { imageId: string; fileId?: undefined };

/** One run of a tool that waits for approval. */
export interface ToolRun {
  executionId: string;
  toolId: string;
  name: string;
  provider: string;
  category: string;
  /** Names and values in the order in which the service sent them; a name may occur twice. */
  arguments: [name: string, value: string][];
}

export interface ApprovalRequest {
  threadId: string;
  batchId: string;
  /** The runs that were not asked for before; they are answered together with the others of their batch. */
  tools: ToolRun[];
}

/** The answer to a whole batch. */
export interface ApprovalAnswer {
  threadId: string;
  batchId: string;
  /** Every run of the batch. All are aborted, or none is. */
  decisions: { executionId: string; name: string; decision: "APPROVED" | "DENIED" | "ABORTED_WITH_FEEDBACK" }[];
  /** The words that go with an abort. */
  feedback: string | null;
}

/** What a person allowed beforehand, with the approval of one tool run. */
export interface GivenGrant {
  threadId: string;
  batchId: string;
  executionId: string;
  toolId: string;
  grant: {
    /** In this conversation, or in all with this agent. */
    scope: "thread" | "agent";
    /** The end, a date-time. */
    until?: string;
    /** Conditions on arguments by JSON pointer; `same`: the value that the approved call has. */
    when?: Record<string, unknown>;
  };
}

/** Events of the element: they bubble and leave shadow roots (`composed`). */
export interface AssentChatEventMap {
  /** The chat can be used; again after a change of agent, user or service. */
  "assent:ready": CustomEvent<null>;
  /** The panel of launcher mode was shown. */
  "assent:open": CustomEvent<null>;
  /** The panel of launcher mode was hidden. */
  "assent:close": CustomEvent<null>;
  /** Another conversation is shown, or the one that is shown got its first message. */
  "assent:thread-change": CustomEvent<{ threadId: string | null }>;
  /**
   * A message is about to be sent; again when it is tried again. `preventDefault()` keeps it from being sent, and the
   * person can try again; what a listener puts into `detail.content` is sent instead. All before the listener returns.
   */
  "assent:before-send": CustomEvent<{ threadId: string | null; content: ContentItem[] | string }>;
  /** The service has a message. */
  "assent:message-sent": CustomEvent<{ threadId: string; content: ContentItem[] }>;
  /** An event of the service, as it came. */
  "assent:event": CustomEvent<{ threadId: string; event: Record<string, unknown> }>;
  /** An answer is whole; `text` is its Markdown. */
  "assent:answer-complete": CustomEvent<{ threadId: string; text: string }>;
  /** Something failed, and that is shown. */
  "assent:error": CustomEvent<ErrorDetail>;
  /** So many answers came while the panel was closed or the tab hidden; 0 when they can be seen. */
  "assent:unread": CustomEvent<{ count: number }>;
  /** The agent asks for approval. */
  "assent:approval-requested": CustomEvent<ApprovalRequest>;
  /**
   * An answer is about to be posted. `preventDefault()` keeps it from being posted; the person can decide again.
   * Call it before the listener returns, not after an `await`. A listener that throws forbids, too.
   */
  "assent:before-approval": CustomEvent<ApprovalAnswer>;
  /** The service accepted an answer. */
  "assent:approval-answered": CustomEvent<ApprovalAnswer>;
  /** The service accepted what the person allowed beforehand with an approval. */
  "assent:grant": CustomEvent<GivenGrant>;
}

/** Categories of numbers in a language (Unicode CLDR, Plural Rules), as `Intl.PluralRules` gives them. English has `one` and `other`. */
export type PluralCategory = "zero" | "one" | "two" | "few" | "many" | "other";

/**
 * Texts by key, for what would be said in English. Keys that are left out stay English. A name in braces is a place that is
 * filled. What the agent does is said under `event.` and the type of the event, unless the service describes it.
 */
export type Strings = Texts & Partial<Record<`${keyof CountingTexts}.${PluralCategory}` | `event.${string}`, string>>;

/** Texts that have a form for each category: `"newMessages.few"`. The English ones are those of `one` and `other`. */
export interface CountingTexts {
  // generated: texts with plural forms (`cargo xtask generate`, from crates/i18n/locales/en.toml)
  /** 1 new message | {count} new messages */ newMessages: string;
  /** 1 decision waits | {count} decisions wait */ decisionsWait: string;
  /** 1 of 1 step failed | {failed} of {count} steps failed */ stepsFailed: string;
  /** 1 step | {count} steps */ steps: string;
  /** Show 1 earlier step | Show some of {count} earlier steps */ earlierSteps: string;
  /** 1 action needs your approval. Nothing runs until you decide. | {count} actions need your approval. Nothing runs until you decide. */ actionsWait: string;
  /** Show 1 more action | Show the next of {count} more actions */ moreActions: string;
  /** “Approve” is chosen for 1 more action, which is covered by what you allow. You can still change that. | “Approve” is chosen for {count} more actions, which are covered by what you allow. You can still change that. */ chosenWithIt: string;
  /** Not decided yet | {done} of {count} decided */ decided: string;
  /** 1 action not reviewed yet. | {count} actions not reviewed yet. */ notReviewed: string;
  /** 1 action needs your approval | {count} actions need your approval */ actionsNeedApproval: string;
  /** {tools} and 1 more | {tools} and {count} more */ andMore: string;
  /** Decide first, or send this as a note. | Decide first, or send this as a note. The note denies the first request. */ "extra.askedMeanwhile": string;
  /** used once | used {count} times */ "extra.used": string;
  /** 1 minute left to decide, until {time} | {count} minutes left to decide, until {time} */ "extra.minutesLeft": string;
  /** 1 hour left to decide, until {time} | {count} hours left to decide, until {time} */ "extra.hoursLeft": string;
  /** Same as last time (1) | Same as last time ({count}) */ "request.sameValues": string;
  /** 1 suspicious value | {count} suspicious values */ "request.suspicious": string;
  /** 1 more note | {count} more notes */ "request.moreNotes": string;
  /** Show all 1 character | Show all {count} characters */ "request.showAllCharacters": string;
  /** Show all 1 line | Show all {count} lines */ "request.showAllLines": string;
  /** 1 character | {count} characters */ "request.characters": string;
  /** {characters} in 1 line | {characters} in {count} lines */ "request.inLines": string;
  /** {name}, {code} | {name}, {code}, {count} times */ "request.hiddenCharacter": string;
  /** Contains an invisible character ({names}). | Contains invisible characters ({names}). */ "request.invisible": string;
  /** Contains a control character ({names}). | Contains control characters ({names}). */ "request.control": string;
  // end of generated
}

/** Texts of one form. */
export interface Texts {
  // generated: texts of one form (`cargo xtask generate`, from crates/i18n/locales/en.toml)
  /** Assistant */ heading?: string;
  /** Loading… */ loading?: string;
  /** Sending… */ sending?: string;
  /** Send */ send?: string;
  /** Write a message… */ placeholder?: string;
  /** Message */ message?: string;
  /** Try again */ tryAgain?: string;
  /** Open chat */ openChat?: string;
  /** Close chat */ closeChat?: string;
  /** This chat is not set up yet: its attribute agent-id is missing. */ notSetUp?: string;
  /** The chat can’t run here: this page does not allow WebAssembly. */ notAllowed?: string;
  /** The chat can’t run here: this page uses a name of the browser for something of its own. */ nameTaken?: string;
  /** The chat didn’t load. Check your connection and try again. */ notLoaded?: string;
  /** The chat stopped unexpectedly. */ stoppedWorking?: string;
  /** Reload chat */ reloadChat?: string;
  /** Conversations */ conversations?: string;
  /** New conversation */ newConversation?: string;
  /** Untitled conversation */ unnamedConversation?: string;
  /** Earlier */ earlierConversations?: string;
  /** Draft */ draft?: string;
  /** No conversations yet */ noConversations?: string;
  /** Rename */ rename?: string;
  /** Delete */ delete?: string;
  /** Cancel */ cancel?: string;
  /** Conversation name */ conversationName?: string;
  /** Actions for {name} */ actionsFor?: string;
  /** Delete conversation? */ deleteQuestion?: string;
  /** “{name}” and its messages will be deleted. This cannot be undone. */ deleteWarning?: string;
  /** Renamed */ renamed?: string;
  /** The conversation was not renamed. */ renameFailed?: string;
  /** Deleted */ deleted?: string;
  /** The conversation was not deleted. */ deleteFailed?: string;
  /** The conversation was not updated. */ reloadFailed?: string;
  /** Messages */ messages?: string;
  /** How can I help? */ greeting?: string;
  /** I’ll ask before I do anything for you. */ greetingHint?: string;
  /** Suggestions */ suggestions?: string;
  /** Stop */ stop?: string;
  /** Stops the answer */ stopAnswer?: string;
  /** Stops listening; the service goes on */ stopListening?: string;
  /** Stopping the answer… */ stopping?: string;
  /** The answer was not stopped. */ stopFailed?: string;
  /** Stop the answer? */ stopQuestion?: string;
  /** A tool is running. What it has done so far stays done. */ stopWarning?: string;
  /** Sends when the answer is done */ sendsWhenDone?: string;
  /** Edit */ edit?: string;
  /** Remove */ remove?: string;
  /** Retry */ retry?: string;
  /** Show all */ showAll?: string;
  /** Show less */ showLess?: string;
  /** Dismiss */ dismiss?: string;
  /** Check again */ checkAgain?: string;
  /** Jump to latest */ jump?: string;
  /** New */ new?: string;
  /** Show earlier messages */ earlier?: string;
  /** Agent activity */ activity?: string;
  /** Working… */ working?: string;
  /** Working… {time} */ workingFor?: string;
  /** Worked for {time} · {steps} */ workedFor?: string;
  /** {minutes} min {seconds} s */ minutes?: string;
  /** failed */ failed?: string;
  /** Ran a tool */ toolRan?: string;
  /** Ran {tool} */ ran?: string;
  /** Running {tool} */ running?: string;
  /** Something unreadable was received */ garbled?: string;
  /** {count} s */ seconds?: string;
  /** {agent} is answering. */ answering?: string;
  /** {agent}: {text} */ answered?: string;
  /** {agent}: {beginning} … The whole answer is in the messages. */ answeredAtLength?: string;
  /** More */ more?: string;
  /** Tell me when a decision waits */ tellMe?: string;
  /** Copy diagnostic log */ copyLog?: string;
  /** Diagnostic log copied */ logCopied?: string;
  /** The log was not copied. */ logNotCopied?: string;
  /** Clear data on this device… */ clearDevice?: string;
  /** Clear data on this device? */ clearQuestion?: string;
  /** Drafts, unsent messages, open requests and the agent’s activity kept in this browser will be deleted. Your conversations stay. */ clearWarning?: string;
  /** Clear */ clear?: string;
  /** Connection lost. This answer may not be complete. */ answerLost?: string;
  /** Stopped. The agent may still finish its answer. */ answerStopped?: string;
  /** Approval needed */ approval?: string;
  /** Needs approval */ needsApproval?: string;
  /** Tool without a name */ unnamedTool?: string;
  /** Approve */ approve?: string;
  /** Deny */ deny?: string;
  /** Approve this call */ approveCall?: string;
  /** Approve, and the tool from now on */ approveDefinition?: string;
  /** Correct what you changed to approve. */ correctFirst?: string;
  /** What I allowed */ whatIAllowed?: string;
  /** Approve all */ approveAll?: string;
  /** Deny all */ denyAll?: string;
  /** Submit */ submitDecisions?: string;
  /** Submit: {approved} approved, {denied} denied */ submitMixed?: string;
  /** Submit: {count} approved */ submitApproved?: string;
  /** Submit: {count} denied */ submitDenied?: string;
  /** Request {number} of {count} */ requestOf?: string;
  /** Arguments of {tool} */ argumentsOf?: string;
  /** Reading the request… */ readingRequest?: string;
  /** This request cannot be shown, so that it cannot be approved. Try again, or reload the page. */ cannotShow?: string;
  /** Open the shortened values to approve. */ openFirst?: string;
  /** Open the shortened values to approve all. */ openAllFirst?: string;
  /** Scroll through all of it to approve, or move into it with the Tab key. */ seeFirst?: string;
  /** Review next */ reviewNext?: string;
  /** What this browser kept of this request is not what the service has stored, so that it cannot be approved. You can deny it and ask the agent again. */ contradicted?: string;
  /** This request is being compared with the one that the service has stored… */ unconfirmedRequest?: string;
  /** You can decide when the agent has finished speaking. */ agentBusy?: string;
  /** Deny with a note… */ stopWithFeedback?: string;
  /** Deny all with a note… */ stopAllWithFeedback?: string;
  /** Note */ feedback?: string;
  /** Nothing will run. What should it do instead? */ feedbackHint?: string;
  /** Deny and send */ stopActions?: string;
  /** Back */ back?: string;
  /** Sending your decision… */ submitting?: string;
  /** Decisions */ decisions?: string;
  /** Looking up what became of it… */ lookingItUp?: string;
  /** Already decided in another tab or device. */ decidedSomewhereElse?: string;
  /** These actions were decided elsewhere. */ actionsDecidedElsewhere?: string;
  /** Start a new conversation */ startAnother?: string;
  /** This conversation waits for a decision that cannot be made here. */ decisionElsewhere?: string;
  /** Waiting for your decision ↑ */ decideFirst?: string;
  /** What became of your decision is still open. */ decisionOpen?: string;
  /** {actions} in other conversations */ inOtherConversations?: string;
  /** {actions}: {tools}. */ approvalHere?: string;
  /** {actions} in “{name}”: {tools}. */ approvalIn?: string;
  /** {actions} in another conversation: {tools}. */ approvalInAnother?: string;
  /** ,  */ between?: string;
  /** Waiting for you */ waitingForYou?: string;
  /** Approved */ approved?: string;
  /** Denied */ denied?: string;
  /** Denied with a note */ aborted?: string;
  /** No decision in time: nothing was done. */ noDecisionInTime?: string;
  /** You approve */ youApprove?: string;
  /** You deny */ youDeny?: string;
  /** You deny, with a note */ youStop?: string;
  /** The connection broke, and it is not known whether your decision arrived. It will not be sent again by itself. */ decisionLost?: string;
  /** Another tab is answering this. What you chose here was not sent. */ answeredInOtherTab?: string;
  /** This can only be answered on the device where it arrived. You can go on in a new conversation. */ neverSeen?: string;
  /** Part of this was already decided; the rest can only be decided where it was asked. */ decidedInPart?: string;
  /** Part of this request could not be read, so that it cannot be answered as a whole. Checking… */ unreadChecking?: string;
  /** Part of this request could not be read, so that it cannot be answered as a whole. */ unread?: string;
  /** These decisions do not go together: {decisions}. */ conflict?: string;
  /** {tool}: {decision} */ decisionOf?: string;
  /** Can’t reach the service. Check your connection and try again. */ unreachable?: string;
  /** You’re offline. Try again when you’re connected. */ offline?: string;
  /** The service’s address leads to another one, to which nothing is sent. Tell the owner of this page. */ redirected?: string;
  /** The service does not allow this page to use it. Tell the owner of this page. */ blocked?: string;
  /** Your session has ended. Please sign in again. */ unauthorized?: string;
  /** You’re not allowed to do this. */ forbidden?: string;
  /** This assistant or conversation is not available. */ notFound?: string;
  /** Too many requests. Wait a moment and try again. */ tooMany?: string;
  /** Too many requests. Try again at {time}. */ tooManyUntil?: string;
  /** The service didn’t accept this. */ rejected?: string;
  /** Your decision was not accepted: {reason} Check it and submit again. */ answerRefused?: string;
  /** The service has a problem. Try again in a moment. */ serviceFailed?: string;
  /** The service has a problem. Try again at {time}. */ serviceFailedUntil?: string;
  /** Something other than the chat service answered. Try again, or tell the owner of this page. */ unreadable?: string;
  /** The answer failed. */ agentFailed?: string;
  /** This page didn’t let this be sent. */ withheld?: string;
  /** This page gave no access to the service. Try again, or tell the owner of this page. */ noAccess?: string;
  /** An answer is still being written. */ busy?: string;
  /** The agent waits for a decision first. */ undecided?: string;
  /** The answer was interrupted. */ interrupted?: string;
  /** The answer was stopped. */ stopped?: string;
  /** The page asked for something that can’t be done. */ invalid?: string;
  /** Another tab was answering this, but the service still waits for a decision. */ otherTab?: string;
  /** Not delivered. Try again. */ notDelivered?: string;
  /** Not sent. */ notSent?: string;
  /** Send now */ sendNow?: string;
  /** Something went wrong: {reason} */ serviceSaid?: string;
  /** Something went wrong. */ serviceError?: string;
  /** {sentence} ({reason}) */ withReason?: string;
  /** Attach files */ attach?: string;
  /** Files reach the agent only with a note. */ attachHint?: string;
  /** Drop files to attach them */ dropHere?: string;
  /** Files */ files?: string;
  /** Uploaded */ uploaded?: string;
  /** Uploading {name} */ uploading?: string;
  /** {name} is uploaded */ fileIsUploaded?: string;
  /** Remove {name} */ removeFile?: string;
  /** Cancel upload of {name} */ cancelUpload?: string;
  /** {name} was not uploaded. */ fileFailed?: string;
  /** You can send this when every file is uploaded. */ stopWaitsForFiles?: string;
  /** You can send when every file is uploaded. */ sendWaitsForFiles?: string;
  /** A file was not uploaded. Retry or remove it to send. */ filesFailed?: string;
  /** {kind} · {size} */ aboutFile?: string;
  /** Image */ imageFile?: string;
  /** File */ file?: string;
  /** {count} B */ bytes?: string;
  /** {count} kB */ kilobytes?: string;
  /** {count} MB */ megabytes?: string;
  /** {count} GB */ gigabytes?: string;
  /** You */ you?: string;
  /** {name} (agent) */ agentCalled?: string;
  /** Today */ today?: string;
  /** Yesterday */ yesterday?: string;
  /** Copy */ copyMessage?: string;
  /** Copied */ messageCopied?: string;
  /** Checking whether it was delivered… */ checking?: string;
  /** Reading the rest of the answer… */ checkingAnswer?: string;
  /** Connection lost. This may not have arrived. */ unconfirmed?: string;
  /** Send again */ sendAgain?: string;
  /** Send anyway */ sendAnyway?: string;
  /** It may appear twice. */ mayArriveTwice?: string;
  /** No response at the moment. It may still be working. */ quiet?: string;
  /** This device has no room for this text. It is lost if you close the page. */ draftUnstored?: string;
  /** You’re offline. Your draft is saved. */ offlineHint?: string;
  /** Picture of {tool} */ pictureOf?: string;
  /** Contribution of {agent} */ contributionOf?: string;
  /** writing… */ contributionWriting?: string;
  /** cut short */ contributionShort?: string;
  /** Copy */ copy?: string;
  /** Copied */ copied?: string;
  /** Copy code */ copyCode?: string;
  /** Wrap lines */ wrap?: string;
  /** Code */ code?: string;
  /** Image not loaded */ image?: string;
  /** Image not loaded, from */ imageFrom?: string;
  /** Load image */ loadImage?: string;
  /** Load all images from {host} in this conversation */ loadImagesFrom?: string;
  /** The image could not be loaded. */ imageFailed?: string;
  /** done */ done?: string;
  /** not done */ notDone?: string;
  /** Leads to {host} */ leadsTo?: string;
  /** Footnote {name} */ footnote?: string;
  /** Table */ table?: string;
  /** Formula */ formula?: string;
  /** This answer was stopped. */ "service.stopped"?: string;
  /** This answer was interrupted because the service stopped. Ask again to get a whole one. */ "service.interrupted"?: string;
  /** This answer was interrupted by a problem of the service. Ask again to get a whole one. */ "service.abandoned"?: string;
  /** The answer failed: {reason} */ "service.failed"?: string;
  /** The service was stopped in between; this answer goes on by itself. */ "service.goesOn"?: string;
  /** It is not known whether {tools} ran. Check before you ask for it again. */ "service.unknownOutcomes"?: string;
  /** It is not known whether {tool} ran. */ "service.unknownOutcome"?: string;
  /** I stopped before more than {limit} uses of tools, which is the limit of one answer. */ "service.toolUses"?: string;
  /** I stopped after {limit} steps, which is the limit of one answer. */ "service.steps"?: string;
  /** I stopped after {used} tokens; the limit of one answer is {limit}. */ "service.tokens"?: string;
  /** I stopped: the {limit} tokens that you may use on one day are used up. Ask again tomorrow. */ "service.tokensOfDay"?: string;
  /** I stopped: your other answers that are being written may use up the {limit} tokens of this day. Ask again when they have ended. */ "service.tokensReserved"?: string;
  /** I stopped after {limit} seconds, the limit of one answer. */ "service.seconds"?: string;
  /** The answer ends here: it reached the greatest length of an answer. */ "service.length"?: string;
  /** The answer ends here: the model's server kept the rest back. */ "service.filtered"?: string;
  /** The answer may not be whole: the model's server ended it without saying so. */ "service.unfinished"?: string;
  /** This conversation has become long: of its oldest part the model reads a summary from now on. You still see all of it. */ "service.summedUp"?: string;
  /** {agent} could not answer: {reason}. */ "service.noReply"?: string;
  /** The tool server {server} cannot be used at the moment. */ "service.toolServer"?: string;
  /** The tool server {server} is still starting. This answer goes on without it. */ "service.toolServerStarting"?: string;
  /** Queued */ "extra.queued"?: string;
  /** Approve and don't ask again */ "extra.approveBeforehand"?: string;
  /** What should happen with your message? */ "extra.whatIsMeant"?: string;
  /** Deny and send now */ "extra.sendAsFeedback"?: string;
  /** Send after I decide */ "extra.sendAfterwards"?: string;
  /** Cancel */ "extra.keepWriting"?: string;
  /** Calls that are allowed from now on */ "extra.allowedCalls"?: string;
  /** How long */ "extra.howLong"?: string;
  /** In this conversation */ "extra.inThisConversation"?: string;
  /** For 1 hour */ "extra.forOneHour"?: string;
  /** For 8 hours */ "extra.forEightHours"?: string;
  /** For 7 days */ "extra.forSevenDays"?: string;
  /** Edit {argument} */ "extra.editArgument"?: string;
  /** Undo change */ "extra.undoChange"?: string;
  /** You changed {arguments} */ "extra.youChanged"?: string;
  /** This has to be a number. */ "extra.needsNumber"?: string;
  /** This has to be a whole number. */ "extra.needsWholeNumber"?: string;
  /** This is not the JSON that is needed. */ "extra.needsJson"?: string;
  /** Possible values: {values} */ "extra.needsOneOf"?: string;
  /** Too short: {bound} at least */ "extra.tooShort"?: string;
  /** Too long: {bound} at most */ "extra.tooLong"?: string;
  /** Too small: {bound} at least */ "extra.tooSmall"?: string;
  /** Too large: {bound} at most */ "extra.tooLarge"?: string;
  /** Only with the same “{argument}” */ "extra.onlyWithSame"?: string;
  /** What is not ticked may have any value. You can take this back in the menu “More”. */ "extra.beforehandHint"?: string;
  /** Approve and allow */ "extra.approveAndAllow"?: string;
  /** You allowed this */ "extra.youAllowedThis"?: string;
  /** Stop allowing */ "extra.stopAllowing"?: string;
  /** Nothing. You are asked about every action that needs your approval. */ "extra.nothingAllowed"?: string;
  /** What you allowed could not be loaded. */ "extra.grantsFailed"?: string;
  /** This could not be ended. Try again. */ "extra.grantNotEnded"?: string;
  /** In “{name}” */ "extra.inConversation"?: string;
  /** In one conversation */ "extra.inOneConversation"?: string;
  /** In all conversations with {agent} */ "extra.inAllConversations"?: string;
  /** until {time} */ "extra.until"?: string;
  /** Close */ "extra.close"?: string;
  /** Next one */ "extra.nextOne"?: string;
  /** All decisions */ "extra.allDecisions"?: string;
  /** Nothing waits for you. */ "extra.nothingWaits"?: string;
  /** This does not wait for a decision any more. */ "extra.waitsNoMore"?: string;
  /** What waits for you was not loaded. */ "extra.waitingFailed"?: string;
  /** This service does not tell what waits for you. */ "extra.waitingUnknown"?: string;
  /** Less than a minute is left to decide. */ "extra.lastMinute"?: string;
  /** {time} left to decide */ "extra.secondsLeft"?: string;
  /** Details */ "details.title"?: string;
  /** What happened could not be loaded. */ "details.notLoaded"?: string;
  /** Proposed by the agent */ "details.proposed"?: string;
  /** Shown to you */ "details.shown"?: string;
  /** Allowed */ "details.allowed"?: string;
  /** Refused */ "details.refused"?: string;
  /** Approved */ "details.approved"?: string;
  /** Denied */ "details.denied"?: string;
  /** Stopped */ "details.aborted"?: string;
  /** May run */ "details.effective"?: string;
  /** Began to run */ "details.run"?: string;
  /** Succeeded */ "details.succeeded"?: string;
  /** Failed */ "details.failed"?: string;
  /** Nobody knows whether it ran */ "details.unknown"?: string;
  /** Did not run */ "details.notRun"?: string;
  /** by a person */ "details.byPerson"?: string;
  /** by the rule “{rule}” */ "details.byRule"?: string;
  /** by the limit “{rule}” */ "details.byLimit"?: string;
  /** and allowed from now on */ "details.andFromNowOn"?: string;
  /** by what was allowed beforehand */ "details.byGrant"?: string;
  /** no answer came in time */ "details.byTimeout"?: string;
  /** the service ended meanwhile */ "details.byCrash"?: string;
  /** version {version} of the policy */ "details.policy"?: string;
  /** Not the arguments of the step before */ "details.differs"?: string;
  /** New */ "details.added"?: string;
  /** Changed */ "details.changed"?: string;
  /** Not included any more */ "details.removed"?: string;
  /** No arguments */ "request.noArguments"?: string;
  /** The same as last time in this conversation */ "request.sameAsLastTime"?: string;
  /** New */ "request.newArgument"?: string;
  /** Changed */ "request.changedArgument"?: string;
  /** Was: */ "request.lastTime"?: string;
  /** became */ "request.became"?: string;
  /** nothing */ "request.nothing"?: string;
  /** No longer included: */ "request.notGivenAnyMore"?: string;
  /** empty */ "request.empty"?: string;
  /** no name */ "request.noName"?: string;
  /** Opens */ "request.leadsTo"?: string;
  /** , written */ "request.spellingOf"?: string;
  /** Domain */ "request.domain"?: string;
  /** Kind of address */ "request.scheme"?: string;
  /** Show less */ "request.fold"?: string;
  /** Why it asks: */ "request.reason"?: string;
  /** This tool is new, or changed since it was last approved. */ "request.changedTool"?: string;
  /** the tool’s name or provider */ "request.theName"?: string;
  /** This cannot be undone. */ "request.cannotBeUndone"?: string;
  /** Reads */ "request.reads"?: string;
  /** Writes */ "request.writes"?: string;
  /** Deletes */ "request.deletes"?: string;
  /** May change or delete */ "request.mayDelete"?: string;
  /** by this service’s policy */ "request.byPolicy"?: string;
  /** as the tool’s server says */ "request.byServer"?: string;
  /** What its provider says of this tool: */ "request.newDefinition"?: string;
  /** What its provider says of this tool now: */ "request.changedDefinition"?: string;
  /** Accepted before: */ "request.acceptedBefore"?: string;
  /** Changed since it was accepted: */ "request.whatChanged"?: string;
  /** {removed} characters removed, {added} added */ "request.replaced"?: string;
  /** {script} letters */ "request.lettersOf"?: string;
  /** Hidden characters reorder this text. */ "request.reordering"?: string;
  /** Marks are drawn over other letters. */ "request.overdrawing"?: string;
  /** {letters} imitate Latin ones. */ "request.lookAlike"?: string;
  /** {letters} imitate others. */ "request.lookLikeOthers"?: string;
  /** Opening this address runs code, or shows what the address itself contains. */ "request.activeScheme"?: string;
  /** Opens {host}, not {name}. */ "request.opensNot"?: string;
  /** Opens {host}. What comes before the @ is only a sign-in name. */ "request.userBeforeHost"?: string;
  /** Real domain: {host} */ "request.realDomain"?: string;
  /** A domain in it is not what it looks like. */ "request.hostDeceives"?: string;
  /** The domain is a number, not a name. */ "request.hostIsNumeric"?: string;
  /** Looks like an address, but cannot be opened. */ "request.unreadable"?: string;
  /** Shows another address than the one it goes to. */ "request.addressInName"?: string;
  /** A program with the name of a document. */ "request.disguisedProgram"?: string;
  /** Ends with a dot or a space, which some systems drop. */ "request.trailingDotOrSpace"?: string;
  /** A name comes twice. Which value counts is not certain. */ "request.repeatedMember"?: string;
  /** Contains several email addresses. */ "request.severalAddresses"?: string;
  /** Goes up to a parent folder. */ "request.parentFolder"?: string;
  /** Goes to the home folder. */ "request.homeFolder"?: string;
  /** A hidden file or folder. */ "request.hiddenFile"?: string;
  /** Opens in another program than a browser. */ "request.otherScheme"?: string;
  // end of generated
}

declare global {
  interface HTMLElementTagNameMap {
    "assent-chat": AssentChatElement;
  }
  interface GlobalEventHandlersEventMap extends AssentChatEventMap {}
}
