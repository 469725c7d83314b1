import type { ErrorCode } from '../../errors.ts';
import { aliasesField } from './aliases.ts';
import { askFirstField } from './ask-first.ts';
import { campaignNameField } from './campaign-name.ts';
import { checkDestinationField } from './check-destination.ts';
import { commentsField } from './comments.ts';
import { customDomainField } from './custom-domain.ts';
import { disabledField } from './disabled.ts';
import { expiredUrlField } from './expired-url.ts';
import { expiresAtField } from './expires-at.ts';
import { externalIdField } from './external-id.ts';
import { fallbackField } from './fallback.ts';
import type { LinkField } from './field.ts';
import { forwardPathField } from './forward-path.ts';
import { forwardQueryField } from './forward-query.ts';
import { importedClicksField } from './imported-clicks.ts';
import { inspectableField } from './inspectable.ts';
import { languageField } from './language.ts';
import { maxClicksField } from './max-clicks.ts';
import { metadataField } from './metadata.ts';
import { passwordField } from './password.ts';
import { previewField } from './preview.ts';
import { redirectStatusField } from './redirect-status.ts';
import { rulesField } from './rules.ts';
import { secIdField } from './sec-id.ts';
import { slugField } from './slug.ts';
import { startsAtField } from './starts-at.ts';
import { tagsField } from './tags.ts';
import { titleField } from './title.ts';
import { urlField } from './url.ts';
import { variantsField } from './variants.ts';

type FieldWithCode<Code> = Code extends `invalid_${infer Name}` ? Name : never;

/** Fields by their names. A name without its code `invalid_<name>` in `errors.ts` is a type error. */
export type FieldTable = { readonly [Name in FieldWithCode<ErrorCode>]?: LinkField };

/**
 * The fields of a link that its owner sets, by their public names. Rows, requests, answers, files, history, forms and the
 * API document derive from this table, in its order.
 */
export const linkFields = {
  url: urlField,
  slug: slugField,
  custom_domain: customDomainField,
  title: titleField,
  comments: commentsField,
  sec_id: secIdField,
  external_id: externalIdField,
  campaign_name: campaignNameField,
  tags: tagsField,
  metadata: metadataField,
  starts_at: startsAtField,
  expires_at: expiresAtField,
  password: passwordField,
  max_clicks: maxClicksField,
  expired_url: expiredUrlField,
  rules: rulesField,
  variants: variantsField,
  fallback: fallbackField,
  redirect_status: redirectStatusField,
  forward_query: forwardQueryField,
  forward_path: forwardPathField,
  preview: previewField,
  inspectable: inspectableField,
  ask_first: askFirstField,
  language: languageField,
  check_destination: checkDestinationField,
  imported_clicks: importedClicksField,
  disabled: disabledField,
  aliases: aliasesField,
} as const satisfies FieldTable;

export type LinkFields = typeof linkFields;
export type FieldName = keyof LinkFields;

/** The names of all fields. */
export const FIELD_NAMES = Object.keys(linkFields) as readonly FieldName[];

/** A field by its name, without its exact type; undefined if there is none. */
export function fieldOf(name: string): LinkField | undefined {
  return Object.hasOwn(linkFields, name) ? linkFields[name as FieldName] : undefined;
}
