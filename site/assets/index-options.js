// How the index of the search is made and read: both have to say the same.

export const INDEX_OPTIONS = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title"],
  searchOptions: { boost: { heading: 3, title: 2 }, prefix: true, fuzzy: 0.1, combineWith: "AND" },
};
