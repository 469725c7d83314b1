/**
 * Splits a migration into its statements, without the semicolons after them. wrangler can do so too, and takes a second
 * to load.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    // The statements of a trigger stand between BEGIN and END, and CASE has an END too.
    if (/^(?:begin|case)$/i.test(token)) depth++;
    else if (/^end$/i.test(token)) depth--;
    if (token !== ';' || depth > 0) continue;
    statements.push(sql.slice(from, index).trim());
    from = index + 1;
  }
  const rest = sql.slice(from).trim();
  return rest.replaceAll(/--.*/g, '').trim() === '' ? statements : [...statements, rest];
}

const TOKEN = /'[^']*'|"[^"]*"|--.*|\b(?:begin|case|end)\b|;/gi;
