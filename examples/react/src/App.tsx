// Defines the element, before React makes one: what it then finds on it are properties, everything else is attributes.
import "assent-chat";
import type { ApprovalAnswer, AssentChatElement, Uploader } from "assent-chat";
import { useRef, useState } from "react";

/** A pretended one: send the file to where your service reads it from, and return what it is called there. */
const upload: Uploader = async (file) => ({ fileId: `upload-of-${file.name}` });

/** Answers may link to TLS pages alone. */
const isSecure = (url: URL) => url.protocol === "https:";

export function App() {
  const chat = useRef<AssentChatElement>(null);
  const [isShown, setShown] = useState(true);
  const [isOpen, setOpen] = useState(false);
  const [decisions, setDecisions] = useState<ApprovalAnswer["decisions"]>([]);

  return (
    <main>
      <h1>Assent in React</h1>
      <p>
        <button onClick={() => chat.current?.open()} disabled={!isShown}>Ask us</button>
        <label>
          <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} /> Offer the chat
        </label>
      </p>
      <p>The chat is {isShown && isOpen ? "open" : "closed"}.</p>
      <ul>
        {decisions.map(({ executionId, name, decision }) => <li key={executionId}>{name}: {decision}</li>)}
      </ul>
      {isShown && (
        <assent-chat
          ref={chat}
          agent-id="demo"
          mode="launcher"
          uploader={upload}
          linkPolicy={isSecure}
          onassent:open={() => setOpen(true)}
          onassent:close={() => setOpen(false)}
          onassent:approval-answered={(event) => setDecisions((before) => [...before, ...event.detail.decisions])}
        />
      )}
    </main>
  );
}
