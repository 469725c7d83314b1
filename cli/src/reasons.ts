/** Why a file or a service cannot be used, by the codes of Node. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EACCES', 'you do not have the permission'],
  ['EPERM', 'you do not have the permission'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the disk is read-only'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up'],
  ['ECONNREFUSED', 'nothing responds at this port'],
  ['ECONNRESET', 'the connection broke off'],
  ['UND_ERR_SOCKET', 'the connection broke off'],
  ['ETIMEDOUT', 'the connection takes too long'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection takes too long'],
  ['ENETUNREACH', 'there is no network'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
]);

/** The reason of an error in words, with its code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS.get(code);
  return reason === undefined ? (code ?? message) : `${reason} (${code})`;
}
