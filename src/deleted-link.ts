/** The error sentence for a deleted link, shown to its own client only. */
export const LINK_DELETED =
  'This link has been deleted. While it can be restored, POST /v1/links/{id}/restore brings it back.';
