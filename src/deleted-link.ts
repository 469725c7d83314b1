/** The error sentence for a deleted link, which only its own client sees. */
export const LINK_DELETED =
  'This link has been deleted. While it can be restored, POST /v1/links/{id}/restore brings it back.';
