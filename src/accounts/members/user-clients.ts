/**
 * The clients that have something about the user ?2, as SQL: those with them as a member, and those whose audit log
 * says that they were one. It is kept as long as what else their log says of them.
 */
export const CLIENTS_OF_USER = `
  SELECT client_id FROM members WHERE user_id = ?2
  UNION SELECT client_id FROM suspended_members WHERE user_id = ?2
  UNION SELECT client_id FROM audit_entries WHERE subject_id = ?2 AND substr(action, 1, 7) = 'member.'`;
