// Plans the modules of the Worker. esbuild puts source files into one module if the same entry points need them: the
// entry and what `import()` loads. With many of these, most modules are tiny, and their imports and exports take more
// bytes than the modules save. So small ones are joined where entry points then load little that they do not need.

/** The bytes that entry points may load in vain for each module less. */
const MODULE_COST = 450_000;
/**
 * The weight of a byte of a package: its modules do most of the work when they are loaded, while our own mostly define
 * functions.
 */
const PACKAGE_WEIGHT = 4;
/**
 * The weights of bytes by the entry point that loads them: of redirects and first requests, and then of visitors' pages,
 * of objects, each of which may be in an isolate of its own, and of tokens.
 */
const WEIGHTS = {
  'later:src/app/click-sender.ts': 40,
  'later:src/redirect/follow.ts': 20,
  'later:src/api/health.ts': 20,
  'later:src/app/api.ts': 20,
  'later:src/app/platform.ts': 20,
  'later:src/accounts/sessions/session.ts': 20,
  'later:src/platform/sign-in/sign-in.tsx': 20,
  'later:src/api/links.ts': 20,
  'later:src/platform/clicks/overview.tsx': 20,
  'later:src/platform/links/list/list.tsx': 20,
  'later:src/platform/links/page/link.tsx': 20,
  'later:src/redirect/locked.ts': 5,
  'later:src/redirect/ask-first.ts': 5,
  'later:src/redirect/app-page.ts': 5,
  'later:src/redirect/inspect.ts': 5,
  'later:src/reference/pages.tsx': 5,
  'later:src/link-limit/object.ts': 5,
  'later:src/statistics/object.ts': 5,
  'later:src/app/tokens.ts': 5,
  'later:src/api/tokens.ts': 5,
  'later:src/clicks/send-kept.ts': 5,
};
/** That of all others, which are loaded seldom, or for which no user waits. */
const OTHER_WEIGHT = 0.2;

/**
 * Plans which source files each entry point of a build loads besides those that it needs, by its metafile
 * (https://esbuild.github.io/api/#metafile). Returns them by the name of the entry point.
 *
 * @param start the entry point that is loaded first, to which nothing is added
 */
export function planModules({ outputs }, start) {
  const modules = new Map(
    Object.entries(outputs).flatMap(([path, output]) => (path.endsWith('.mjs') ? [[path, toModule(output)]] : [])),
  );
  const entries = [...modules.values()].flatMap(({ entry }) => entry ?? []);
  const bitOf = new Map(entries.map((entry, index) => [entry, 1n << BigInt(index)]));
  const needed = new Map([...modules.keys()].map((path) => [path, 0n]));
  for (const [path, { entry }] of modules)
    if (entry) for (const each of loadedWith(path, modules)) needed.set(each, needed.get(each) | bitOf.get(entry));

  const before = loadedBefore(entries, bitOf, modules, start);
  /** Adds the entry points that are only loaded after one of a set: for them, nothing more is loaded. */
  const complete = (set) =>
    entries.reduce((sum, entry) => ((before.get(entry) & set) === 0n ? sum : sum | bitOf.get(entry)), set);
  const groups = groupsOf(modules, (path) => complete(needed.get(path)));
  // An entry point is a module in any case.
  const own = new Set(entries.map((entry) => complete(bitOf.get(entry))));
  const isEntry = ({ set, paths }) => own.has(set) && paths.some((path) => modules.get(path).entry);
  joinSmall(groups, isEntry, { first: bitOf.get(start), complete, weightOf: weigherOf(entries) });

  const filesOf = new Map(entries.map((entry) => [entry, []]));
  for (const { set, paths } of groups)
    for (const path of paths)
      for (const entry of entries)
        if ((set & ~needed.get(path) & bitOf.get(entry)) !== 0n) filesOf.get(entry).push(...modules.get(path).files);
  return filesOf;
}

const toModule = ({ entryPoint, imports, inputs }) => {
  const importsOf = (wanted) =>
    imports.flatMap(({ path, kind, external }) => (kind === wanted && !external ? path : []));
  const bytes = Object.entries(inputs).map(
    ([file, { bytesInOutput }]) => bytesInOutput * (file.startsWith('node_modules/') ? PACKAGE_WEIGHT : 1),
  );
  return {
    entry: entryPoint,
    bytes: bytes.reduce((sum, each) => sum + each, 0),
    files: Object.keys(inputs),
    needs: importsOf('import-statement'),
    later: importsOf('dynamic-import'),
  };
};

function loadedWith(start, modules) {
  const loaded = new Set([start]);
  for (const path of loaded) for (const need of modules.get(path).needs) loaded.add(need);
  return loaded;
}

/** For each entry point, those that are always loaded before it, and itself. */
function loadedBefore(entries, bitOf, modules, start) {
  const importers = new Map(entries.map((entry) => [entry, new Set()]));
  for (const [path, { entry }] of modules) {
    if (!entry) continue;
    for (const each of loadedWith(path, modules))
      for (const later of modules.get(each).later) importers.get(modules.get(later).entry).add(entry);
  }
  const everything = entries.reduce((sum, entry) => sum | bitOf.get(entry), 0n);
  const result = new Map(entries.map((entry) => [entry, entry === start ? bitOf.get(entry) : everything]));
  for (let changes = true; changes;) {
    changes = false;
    for (const entry of entries) {
      if (entry === start) continue;
      const common = [...importers.get(entry)].reduce((sum, importer) => sum & result.get(importer), everything);
      const next = common | bitOf.get(entry);
      changes ||= next !== result.get(entry);
      result.set(entry, next);
    }
  }
  return result;
}

/** The modules that the same entry points load, and the groups that these need. */
function groupsOf(modules, setOf) {
  const groups = new Map();
  const groupOf = new Map();
  for (const [path, { bytes }] of modules) {
    const set = setOf(path);
    const group = groups.get(set) ?? { set, bytes: 0, paths: [], needs: new Set() };
    groups.set(set, group);
    group.paths.push(path);
    group.bytes += bytes;
    groupOf.set(path, group);
  }
  for (const [path, { needs }] of modules)
    for (const need of needs)
      if (groupOf.get(need) !== groupOf.get(path)) groupOf.get(path).needs.add(groupOf.get(need));
  return new Set(groups.values());
}

/** Joins groups, the smallest ones first, as long as a join costs less than a module. */
function joinSmall(groups, isEntry, context) {
  const entries = new Set([...groups].filter(isEntry));
  const settled = new Set(entries);
  for (;;) {
    const [smallest] = [...groups].filter((group) => !settled.has(group)).toSorted((a, b) => a.bytes - b.bytes);
    if (smallest === undefined) return;
    const others = [...groups].filter((group) => group !== smallest && !entries.has(group));
    const join = cheapestJoin(smallest, others, context);
    if (join === null || join.cost >= MODULE_COST) {
      settled.add(smallest);
      continue;
    }
    for (const [group, set] of join.changes) group.set = set;
    uniteEqual(groups, settled);
  }
}

/** The cheapest join of a group with another one; null if it can be joined with none. */
function cheapestJoin(group, others, { first, complete, weightOf }) {
  let cheapest = null;
  for (const other of others) {
    // What the start loads stays as small as it is.
    if ((other.set & first) !== (group.set & first)) continue;
    const to = complete(group.set | other.set);
    const changes = new Map();
    const queue = [group, other];
    let cost = 0;
    while (queue.length > 0) {
      const each = queue.pop();
      const now = changes.get(each) ?? each.set;
      const next = now | to;
      if (next === now) continue;
      cost += each.bytes * weightOf(next & ~now);
      changes.set(each, next);
      queue.push(...each.needs);
    }
    if (cheapest === null || cost < cheapest.cost) cheapest = { cost, changes };
  }
  return cheapest;
}

function uniteEqual(groups, settled) {
  const bySet = new Map();
  for (const group of groups) {
    const same = bySet.get(group.set);
    if (same === undefined) {
      bySet.set(group.set, group);
      continue;
    }
    same.bytes += group.bytes;
    same.paths.push(...group.paths);
    for (const need of group.needs) same.needs.add(need);
    for (const other of groups) if (other.needs.delete(group)) other.needs.add(same);
    same.needs.delete(same);
    groups.delete(group);
    settled.delete(same);
  }
}

/** Adds the weights of the entry points in a set. */
function weigherOf(entries) {
  const weights = entries.map((entry) => WEIGHTS[entry] ?? OTHER_WEIGHT);
  return (set) => weights.reduce((sum, weight, index) => sum + ((set >> BigInt(index)) & 1n ? weight : 0), 0);
}
