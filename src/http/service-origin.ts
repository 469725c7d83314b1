import type { Site } from '../network/hosts.ts';

/** The origin of the service, for programs: that of `PUBLIC_URL`, or of the request while that is not set. */
export const serviceOrigin = ({ publicUrl, requestUrl }: Site): string => (publicUrl ?? requestUrl).origin;
