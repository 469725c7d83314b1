import { CLIENT_ID as client_id } from '../../scripts/reference/examples.ts';

/** A view and a UTM template of the customer of the examples. */

export const [VIEW_ID, TEMPLATE_ID] = ['a81e0f4d22c79b36', 'c3519bd0a7e8f264'];

export const EXAMPLE_PRESETS = [
  { id: VIEW_ID, kind: 'view', name: 'Spring', folded: 'spring', content: 'campaign_name=Spring' },
  { id: TEMPLATE_ID, kind: 'utm', name: 'Post', folded: 'post', content: 'utm_source=post' },
].map((preset) => ({ ...preset, client_id, created_at: 1 }));
