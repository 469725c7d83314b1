import { policyOf, type TargetPolicy } from '../targets/policy.ts';
import type { RequestContext } from './env.ts';

/** The policy for the new targets of one request. */
export function targetPolicyOf(c: RequestContext): TargetPolicy {
  return policyOf(c.var.services.targetFilter);
}
