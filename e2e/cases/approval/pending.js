// What the browser's storage holds of pending requests.

/** Keys and values of everything that is kept to answer a request later. */
export const kept = (chat) =>
  chat.page.evaluate(() => Object.entries(localStorage).filter(([key, value]) => key.includes(":approval:") || value.includes("toolMemoryId")));

/** The requests as they came. */
export const keptRequests = async (chat) => (await kept(chat)).map(([, value]) => JSON.parse(value).request);
