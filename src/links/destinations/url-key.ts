/**
 * The key of a destination in the index `links_of_url`, in SQL: its expression in the schema, or the planner does not
 * use it. An index of whole destinations would be as large as the table.
 */
export const urlKey = (text: string) => `length(${text}) || substr(${text}, 9, 24) || substr(${text}, -32)`;
