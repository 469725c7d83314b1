import { authorizeCreator } from '../../accounts/access.ts';
import { readActor } from '../../http/actor.ts';
import { linkToolsOf } from '../../http/link-tools.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { targetPolicyOf } from '../../http/target-policy.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { createLink } from '../../links/create/create.ts';
import { destinationsOf } from '../../links/destinations.ts';
import { editLink } from '../../links/edit/edit.ts';
import { contentOfInput } from '../../links/fields/content.ts';
import { newLinkJsonFields, parseLinkChange, parseNewLink } from '../../links/input.ts';
import { protect } from '../../links/lock/protect.ts';
import { newlyManaged } from '../../links/managed.ts';
import { toManagedRecord } from '../../links/record.ts';
import { forgetMissing } from '../../links/redirect/resolve.ts';
import { refuseNewTargets } from '../../targets/new-targets.ts';
import { succeeded } from '../result.ts';
import { written, type Tool } from './tool.ts';

/** The tools that write. */

export const createLinkTool: Tool = async ({ c, verify }, given) => {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const input = parseNewLink(fields, c.var.site, newLinkJsonFields());
  const credential = await verify();
  await limitRate(c, 'create', credential);
  const { db, site, services } = c.var;
  await refuseNewTargets(db, credential, targetPolicyOf(c), destinationsOf(contentOfInput(input)));
  const hashing = { queue: services.hashing, authorize: () => authorizeCreator(db, credential) };
  const link = await createLink(db, credential, await protect(hashing, input));
  forgetMissing(services.memory, [link]);
  return succeeded('The link is created.', toManagedRecord(newlyManaged(link), site), written());
};

export const updateLinkTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.update_link, given);
  const change = parseLinkChange(rest, c.var.site);
  const actor = await readActor(c, verify)(own);
  const link = await editLink(linkToolsOf(c), actor, own.link, change);
  return succeeded('The link is changed.', toManagedRecord(link, c.var.site), written());
};
