// Loaded before a program (`node --import`): its pipes look like a terminal, as wide as TERMINAL_COLUMNS says. What a
// program asks of the terminal is written to stderr.
process.stdout.isTTY = true;
process.stdout.columns = Number(process.env.TERMINAL_COLUMNS);
process.stdin.isTTY = true;
process.stdin.setRawMode = (isRaw) => process.stderr.write(isRaw ? '<raw>' : '<cooked>');
