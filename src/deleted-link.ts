/** What the owner of a deleted link is told who asks for what only a living one has. */
export const LINK_DELETED =
  'This link has been deleted. While it can be restored, POST /v1/links/{id}/restore brings it back.';
