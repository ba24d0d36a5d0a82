// What the cases about the device share: the steps of an answer, what is kept, and the menu.

export const activity = (chat) => chat.role("group", { name: "Agent activity" });
export const steps = (chat) => activity(chat).getByRole("listitem");
export const more = (chat) => chat.button("More");

/** An inline chat in a tab that hears what other tabs tell: the module which does that comes last. */
export async function hearing(tab, settings) {
  const module = tab.page.waitForResponse(/\/assent_history[^/]*\.js$/);
  await tab.inline(settings);
  await tab.page.evaluate((address) => import(address), (await module).url());
}

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

/** Changes the recordings in the page's database, or removes those that become null. */
export const rewrite = (page, change) =>
  page.evaluate(async (change) => {
    const database = await new Promise((resolve) => {
      const opening = indexedDB.open("assent");
      opening.onsuccess = () => resolve(opening.result);
    });
    const writing = database.transaction("recordings", "readwrite");
    const all = writing.objectStore("recordings");
    all.getAll().onsuccess = ({ target }) => target.result.forEach((recording) => all.put({ ...recording, ...change }));
    await new Promise((resolve) => (writing.oncomplete = resolve));
    database.close();
  }, change);

/** An answer with steps, from a scripted service that also stores it. */
export async function answerWithSteps(chat, scripted, question = "Look it up") {
  scripted.hold = true;
  await chat.say(question);
  const post = await scripted.nextPost();
  post.begin();
  post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about it");
  await chat.element.getByText("Thinking about it").first().waitFor();
  post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "Thought about it");
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook");
  await chat.element.getByText("Searching the handbook").first().waitFor();
  return post;
}
