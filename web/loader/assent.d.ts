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
   * The chat's texts in the words of the page; what is left out stays English. May be set at any time. With `locale` they
   * are those of its language, whose rules say which number takes which form.
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
  /** 1 step | {count} steps */ steps: string;
  /** Show 1 earlier step | Show some of {count} earlier steps */ earlierSteps: string;
  /** The agent wants to do this. Nothing runs without your decision. | The agent wants to do these {count} things. Nothing runs without your decision. */ actionsWait: string;
  /** Show 1 more action | Show the next of {count} more actions */ moreActions: string;
  /** Not decided yet | {done} of {count} decided */ decided: string;
  /** The agent waits for a decision and takes no message until then. | The agent waits for several decisions and takes no message until then. As feedback, it stops the actions of the first request. */ askedMeanwhile: string;
  /** 1 action needs your approval | {count} actions need your approval */ actionsNeedApproval: string;
  /** {tools} and 1 more | {tools} and {count} more */ andMore: string;
  /** Show all 1 character | Show all {count} characters */ "request.showAllCharacters": string;
  /** Show all 1 line | Show all {count} lines */ "request.showAllLines": string;
  /** 1 character | {count} characters */ "request.characters": string;
  /** {characters} in 1 line | {characters} in {count} lines */ "request.inLines": string;
  /** {name}, {code} | {name}, {code}, {count} times */ "request.hiddenCharacter": string;
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
  /** The chat cannot run here, because this page does not allow WebAssembly. */ notAllowed?: string;
  /** The chat cannot run here, because this page uses a name of the browser for something of its own. */ nameTaken?: string;
  /** The chat could not be loaded. Check your connection and try again. */ notLoaded?: string;
  /** The chat stopped because of an unexpected problem. */ stoppedWorking?: string;
  /** Reload chat */ reloadChat?: string;
  /** Conversations */ conversations?: string;
  /** New conversation */ newConversation?: string;
  /** Untitled conversation */ unnamedConversation?: string;
  /** Earlier */ earlierConversations?: string;
  /** Draft */ draft?: string;
  /** Your conversations will be listed here. */ noConversations?: string;
  /** Rename */ rename?: string;
  /** Delete */ delete?: string;
  /** Cancel */ cancel?: string;
  /** Conversation name */ conversationName?: string;
  /** Actions for {name} */ actionsFor?: string;
  /** Delete conversation? */ deleteQuestion?: string;
  /** “{name}” and its messages will be deleted. This cannot be undone. */ deleteWarning?: string;
  /** The conversation could not be renamed. */ renameFailed?: string;
  /** The conversation could not be deleted. */ deleteFailed?: string;
  /** The conversation could not be read again. */ reloadFailed?: string;
  /** Messages */ messages?: string;
  /** How can I help? */ greeting?: string;
  /** Before I act on your behalf, I ask you. */ greetingHint?: string;
  /** Suggestions */ suggestions?: string;
  /** Stop */ stop?: string;
  /** Stops the answer */ stopAnswer?: string;
  /** Stops listening; the service goes on */ stopListening?: string;
  /** Stopping the answer… */ stopping?: string;
  /** The answer could not be stopped. */ stopFailed?: string;
  /** Retry */ retry?: string;
  /** Show all */ showAll?: string;
  /** Show less */ showLess?: string;
  /** Dismiss */ dismiss?: string;
  /** Check again */ checkAgain?: string;
  /** Jump to latest */ jump?: string;
  /** Show earlier messages */ earlier?: string;
  /** Agent activity */ activity?: string;
  /** Working */ working?: string;
  /** failed */ failed?: string;
  /** Ran a tool */ toolRan?: string;
  /** Ran {tool} */ ran?: string;
  /** Something unreadable was received */ garbled?: string;
  /** {count} s */ seconds?: string;
  /** {agent} is answering. */ answering?: string;
  /** {agent}: {text} */ answered?: string;
  /** {agent}: {beginning} … The whole answer is in the messages. */ answeredAtLength?: string;
  /** More */ more?: string;
  /** Copy diagnostic log */ copyLog?: string;
  /** Diagnostic log copied */ logCopied?: string;
  /** The log could not be copied. */ logNotCopied?: string;
  /** Clear this device */ clearDevice?: string;
  /** Clear this device? */ clearQuestion?: string;
  /** Drafts, unsent messages, open requests and the agent’s activity kept in this browser will be deleted. Your conversations stay. */ clearWarning?: string;
  /** Clear */ clear?: string;
  /** The connection ended before the answer was complete. */ answerLost?: string;
  /** You stopped listening. The agent may still finish its answer on the service. */ answerStopped?: string;
  /** Approval needed */ approval?: string;
  /** Needs approval */ needsApproval?: string;
  /** Tool without a name */ unnamedTool?: string;
  /** Approve */ approve?: string;
  /** Deny */ deny?: string;
  /** Approve this call */ approveCall?: string;
  /** Approve, and the tool from now on */ approveDefinition?: string;
  /** Approve all */ approveAll?: string;
  /** Deny all */ denyAll?: string;
  /** Submit decisions */ submitDecisions?: string;
  /** Decision on {tool} */ decisionOn?: string;
  /** Arguments of {tool} */ argumentsOf?: string;
  /** Reading the request… */ readingRequest?: string;
  /** This request cannot be shown, so that it cannot be approved. Try again, or reload the page. */ cannotShow?: string;
  /** This can be approved once you have opened what is folded above. */ openFirst?: string;
  /** Open every folded value first to use “Approve all”. */ openAllFirst?: string;
  /** This can be approved once you have scrolled through all of it, or moved into it with the Tab key. */ seeFirst?: string;
  /** Not every action was on the screen yet. “Approve all” shows the next one first. */ seeAllFirst?: string;
  /** What this browser kept of this request is not what the service has stored, so that it cannot be approved. You can deny it and ask the agent again. */ contradicted?: string;
  /** This request is being compared with the one that the service has stored… */ unconfirmedRequest?: string;
  /** You can submit when the agent has finished speaking. */ agentBusy?: string;
  /** Stop and give feedback */ stopWithFeedback?: string;
  /** Feedback */ feedback?: string;
  /** None of these actions will run. Tell the agent what it should do instead. */ feedbackHint?: string;
  /** Stop these actions */ stopActions?: string;
  /** Back */ back?: string;
  /** Sending your decision… */ submitting?: string;
  /** Looking up what became of it… */ lookingItUp?: string;
  /** This was decided somewhere else; what was chosen here was not used. */ decidedSomewhereElse?: string;
  /** These actions were decided elsewhere. */ actionsDecidedElsewhere?: string;
  /** Start a new conversation */ startAnother?: string;
  /** This conversation waits for a decision that cannot be made here. */ decisionElsewhere?: string;
  /** The agent waits for your decision above. */ decideFirst?: string;
  /** What became of your decision is still open. */ decisionOpen?: string;
  /** What should happen with your message? */ whatIsMeant?: string;
  /** Stop the actions and send as feedback */ sendAsFeedback?: string;
  /** Send after the decision */ sendAfterwards?: string;
  /** Keep writing */ keepWriting?: string;
  /** Will be sent when the agent has finished: */ willBeSent?: string;
  /** Take back */ takeBack?: string;
  /** “{text}” */ quoted?: string;
  /** {actions} in other conversations */ inOtherConversations?: string;
  /** {actions}: {tools}. */ approvalHere?: string;
  /** {actions} in “{name}”: {tools}. */ approvalIn?: string;
  /** {actions} in another conversation: {tools}. */ approvalInAnother?: string;
  /** ,  */ between?: string;
  /** Waiting for you */ waitingForYou?: string;
  /** Approved */ approved?: string;
  /** Denied */ denied?: string;
  /** Stopped */ aborted?: string;
  /** You approve */ youApprove?: string;
  /** You deny */ youDeny?: string;
  /** You stop */ youStop?: string;
  /** The connection broke, and it is not known whether your decision arrived. It will not be sent again by itself. */ decisionLost?: string;
  /** Another tab is answering this. What you chose here was not sent. */ answeredInOtherTab?: string;
  /** This request came before this page was loaded, or to another tab or device. It can only be answered where it arrived; you can go on in a new conversation. */ neverSeen?: string;
  /** Part of this was already decided; the rest can only be decided where it was asked. */ decidedInPart?: string;
  /** Part of this request could not be read, so that it cannot be answered as a whole. Checking… */ unreadChecking?: string;
  /** Part of this request could not be read, so that it cannot be answered as a whole. */ unread?: string;
  /** These decisions do not go together: {decisions}. */ conflict?: string;
  /** {tool}: {decision} */ decisionOf?: string;
  /** The service cannot be reached. Check your connection and try again. */ unreachable?: string;
  /** You are offline. Try again when you are connected. */ offline?: string;
  /** The service's address leads to another one, to which nothing is sent. Tell the owner of this page. */ redirected?: string;
  /** The service does not allow this page to use it. Tell the owner of this page. */ blocked?: string;
  /** The service does not accept this page's sign-in. Sign in again, or tell the owner of this page. */ unauthorized?: string;
  /** You are not allowed to do this. */ forbidden?: string;
  /** The service does not know this conversation or agent. */ notFound?: string;
  /** There were too many requests. Wait a moment and try again. */ tooMany?: string;
  /** There were too many requests. Try again at {time}. */ tooManyUntil?: string;
  /** The service did not accept this. */ rejected?: string;
  /** The service has a problem. Try again in a moment. */ serviceFailed?: string;
  /** The service has a problem. Try again at {time}. */ serviceFailedUntil?: string;
  /** Something that is not the chat service answered. Try again, or tell the owner of this page. */ unreadable?: string;
  /** The agent could not finish. */ agentFailed?: string;
  /** This page did not let this be sent. */ withheld?: string;
  /** This page could not give access to the service. Try again, or tell the owner of this page. */ noAccess?: string;
  /** An answer is still being written. */ busy?: string;
  /** The agent waits for a decision first. */ undecided?: string;
  /** The answer was interrupted. */ interrupted?: string;
  /** The answer was stopped. */ stopped?: string;
  /** The page asked for something that cannot be done. */ invalid?: string;
  /** Another tab was answering this, but the service still waits for a decision. */ otherTab?: string;
  /** The service does not have this. */ notDelivered?: string;
  /** The service had an error: {reason} */ serviceSaid?: string;
  /** The service did not respond as expected. */ serviceError?: string;
  /** {sentence} ({reason}) */ withReason?: string;
  /** Attach files */ attach?: string;
  /** With a decision, files reach the agent only together with a stop. */ attachHint?: string;
  /** Drop files to attach them */ dropHere?: string;
  /** Files */ files?: string;
  /** Uploaded */ uploaded?: string;
  /** Uploading {name} */ uploading?: string;
  /** {name} is uploaded */ fileIsUploaded?: string;
  /** Remove {name} */ removeFile?: string;
  /** Cancel upload of {name} */ cancelUpload?: string;
  /** {name} was not uploaded. */ fileFailed?: string;
  /** Remove */ removeFailed?: string;
  /** You can stop the actions when every file is uploaded. */ stopWaitsForFiles?: string;
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
  /** Copy answer */ copyAnswer?: string;
  /** Copy as Markdown */ copyAsMarkdown?: string;
  /** Checking whether it arrived… */ checking?: string;
  /** Reading the rest of the answer… */ checkingAnswer?: string;
  /** The connection broke, and it is not known whether this message arrived. */ unconfirmed?: string;
  /** Send again */ sendAgain?: string;
  /** If this message did arrive, it will be there twice. */ mayArriveTwice?: string;
  /** Nothing has come for 45 seconds. The agent may still be at work. */ quiet?: string;
  /** This device has no room left for this text. It is lost if you close the page. */ draftUnstored?: string;
  /** You are offline. What you write stays here. */ offlineHint?: string;
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
  /** No arguments */ "request.noArguments"?: string;
  /** The same arguments as last time in this conversation */ "request.sameAsLastTime"?: string;
  /** New */ "request.newArgument"?: string;
  /** Changed */ "request.changedArgument"?: string;
  /** Last time: */ "request.lastTime"?: string;
  /** became */ "request.became"?: string;
  /** nothing */ "request.nothing"?: string;
  /** Given last time, but not now: */ "request.notGivenAnyMore"?: string;
  /** empty */ "request.empty"?: string;
  /** no name */ "request.noName"?: string;
  /** Leads to */ "request.leadsTo"?: string;
  /** , technical spelling of */ "request.spellingOf"?: string;
  /** Domain */ "request.domain"?: string;
  /** Kind of address */ "request.scheme"?: string;
  /** Show less */ "request.fold"?: string;
  /** Asked because: */ "request.reason"?: string;
  /** This tool is new, or has changed since it was last approved. */ "request.changedTool"?: string;
  /** Before you decide, check: */ "request.lookClosely"?: string;
  /** the tool’s name or provider */ "request.theName"?: string;
  /** Hidden here: {names}. */ "request.hidden"?: string;
  /** What its provider says of this tool: */ "request.newDefinition"?: string;
  /** What its provider says of this tool now: */ "request.changedDefinition"?: string;
  /** Accepted before: */ "request.acceptedBefore"?: string;
  /** Changed since it was accepted: */ "request.whatChanged"?: string;
  /** Since last time, {removed} characters were taken out and {added} put in */ "request.replaced"?: string;
  /** {script} letters */ "request.lettersOf"?: string;
  /** Hidden characters change the order in which this is drawn. */ "request.reordering"?: string;
  /** It holds characters that cannot be seen. */ "request.invisible"?: string;
  /** It holds control characters. */ "request.control"?: string;
  /** Combining marks are drawn over other text. */ "request.overdrawing"?: string;
  /** {letters} stand where others would look the same. */ "request.lookAlike"?: string;
  /** This address runs as a program or brings its own content where it is opened. */ "request.activeScheme"?: string;
  /** What stands before the @ is a name to sign in with. The address leads elsewhere. */ "request.userBeforeHost"?: string;
  /** The host is written in another way than the one that is opened. */ "request.hostWrittenOtherwise"?: string;
  /** The host looks like Latin letters, but has none of them. */ "request.hostLooksLatin"?: string;
  /** The host mixes letters of several scripts. */ "request.hostMixesScripts"?: string;
  /** The host holds a sign that is no letter and no digit. */ "request.hostHoldsSign"?: string;
  /** The host is a number instead of a name. */ "request.hostIsNumeric"?: string;
  /** It looks like an address, but it cannot be opened as one. */ "request.unreadable"?: string;
  /** The name holds an e-mail address that is not the one written to. */ "request.addressInName"?: string;
  /** The file name ends like a program, behind the ending of a document. */ "request.disguisedProgram"?: string;
  /** A part of the path ends with a dot or a space, which some systems drop. */ "request.trailingDotOrSpace"?: string;
  /** A name comes twice in the same object; which one counts is not certain. */ "request.repeatedMember"?: string;
  /** It holds more than one e-mail address. */ "request.severalAddresses"?: string;
  /** The path leads up into a parent folder. */ "request.parentFolder"?: string;
  /** The path leads into the home folder. */ "request.homeFolder"?: string;
  /** The path holds a hidden file or folder. */ "request.hiddenFile"?: string;
  /** The address is opened by another program than a browser. */ "request.otherScheme"?: string;
  // end of generated
}

declare global {
  interface HTMLElementTagNameMap {
    "assent-chat": AssentChatElement;
  }
  interface GlobalEventHandlersEventMap extends AssentChatEventMap {}
}
