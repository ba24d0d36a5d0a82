// What the cases about the device share: the steps of an answer, what is kept, and the menu.

export const activity = (chat) => chat.role("group", { name: "Agent activity" });
export const steps = (chat) => activity(chat).getByRole("listitem");
export const more = (chat) => chat.button("More");

/** The recordings in the page's database; none where there is no database. */
export const recordings = (page) =>
  page.evaluate(async () => {
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === "assent")) return [];
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open("assent");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const all = await new Promise((resolve) => {
      const reading = database.transaction("recordings").objectStore("recordings").getAll();
      reading.onsuccess = () => resolve(reading.result);
    });
    database.close();
    return all;
  });

/** An answer with steps, from a scripted service that also stores it. */
export async function answerWithSteps(chat, scripted, question = "Look it up") {
  const post = await chat.post(scripted, question);
  post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about it");
  await chat.element.getByText("Thinking about it").first().waitFor();
  post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "Thought about it");
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook");
  await chat.element.getByText("Searching the handbook").first().waitFor();
  return post;
}
