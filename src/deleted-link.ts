/** The error sentence for a deleted link, which only its own client sees. */
export const LINK_DELETED =
  'This link has been deleted. Within 30 days of its deletion, POST /v1/links/{id}/restore restores it.';
