/** Up to how many links of a tag or of a campaign are counted, so that a list of them reads few rows. */
export const MAX_LINKS_COUNTED = 1000;
