/** Every error code that a caller can receive, with its HTTP status. */
export const STATUS_BY_CODE = {
  malformed_body: 400,
  missing_field: 400,
  repeated_field: 400,
  unknown_field: 400,
  file_field: 400,
  too_long: 400,
  invalid_url: 400,
  own_host: 400,
  blocked_host: 400,
  destination_unreachable: 400,
  destination_too_slow: 400,
  destination_closed: 400,
  invalid_client_id: 400,
  invalid_sec_id: 400,
  invalid_reuse: 400,
  not_reusable: 400,
  invalid_campaign_name: 400,
  invalid_custom_domain: 400,
  invalid_metadata: 400,
  invalid_title: 400,
  invalid_comments: 400,
  invalid_external_id: 400,
  invalid_tags: 400,
  invalid_tag: 400,
  invalid_events: 400,
  invalid_description: 400,
  invalid_colour: 400,
  invalid_from: 400,
  invalid_since: 400,
  invalid_to: 400,
  invalid_by: 400,
  invalid_tz: 400,
  invalid_compare: 400,
  invalid_country: 400,
  invalid_region: 400,
  invalid_referrer: 400,
  invalid_browser: 400,
  invalid_os: 400,
  invalid_device: 400,
  invalid_language: 400,
  invalid_destination: 400,
  invalid_campaign: 400,
  invalid_visitor: 400,
  invalid_link: 400,
  invalid_sort: 400,
  invalid_cursor: 400,
  invalid_slug: 400,
  invalid_expires_at: 400,
  invalid_starts_at: 400,
  invalid_max_clicks: 400,
  invalid_imported_clicks: 400,
  invalid_unprotected: 400,
  invalid_dates: 400,
  invalid_charset: 400,
  invalid_expired_url: 400,
  invalid_redirect_status: 400,
  invalid_forward_query: 400,
  invalid_forward_path: 400,
  invalid_inspectable: 400,
  invalid_preview: 400,
  invalid_disabled: 400,
  invalid_aliases: 400,
  invalid_rules: 400,
  invalid_variants: 400,
  invalid_limit: 400,
  invalid_state: 400,
  invalid_links: 400,
  too_many_links: 400,
  invalid_idempotency_key: 400,
  invalid_if_match: 400,
  invalid_name: 400,
  invalid_scopes: 400,
  invalid_role: 400,
  invalid_email: 400,
  invalid_keys: 400,
  invalid_former_secret: 400,
  invalid_password: 400,
  invalid_passkey: 400,
  invalid_token: 400,
  invalid_host: 400,
  invalid_root_url: 400,
  invalid_not_found_url: 400,
  invalid_case_sensitive: 400,
  invalid_tolerant: 400,
  invalid_slug_length: 400,
  invalid_apple_app_site_association: 400,
  invalid_asset_links: 400,
  invalid_force: 400,
  invalid_format: 400,
  invalid_dry_run: 400,
  invalid_size: 400,
  invalid_margin: 400,
  invalid_level: 400,
  invalid_background: 400,
  invalid_deep: 400,
  invalid_address: 400,
  invalid_user_agent: 400,
  invalid_query: 400,
  invalid_path: 400,
  invalid_at: 400,
  invalid_ask_first: 400,
  invalid_check_destination: 400,
  invalid_unhealthy: 400,
  invalid_via: 400,
  invalid_utm_medium: 400,
  invalid_utm_campaign: 400,
  invalid_marker: 400,
  invalid_fallback: 400,
  invalid_dots: 400,
  invalid_corners: 400,
  invalid_frame: 400,
  invalid_text: 400,
  invalid_logo: 400,
  malformed_row: 400,
  too_many_rows: 400,
  unknown_domain: 400,
  missing_credential: 401,
  invalid_credential: 401,
  wrong_client: 403,
  insufficient_scope: 403,
  not_owner: 403,
  step_up_required: 403,
  factor_required: 403,
  provider_required: 403,
  wrong_origin: 403,
  encode_retired: 403,
  link_blocked: 403,
  not_found: 404,
  method_not_allowed: 405,
  slug_taken: 409,
  slug_of_deleted_link: 409,
  path_taken: 409,
  external_id_taken: 409,
  too_many_aliases: 409,
  too_many_tags: 409,
  tag_taken: 409,
  tag_in_use: 409,
  link_deleted: 409,
  domain_removed: 409,
  idempotency_key_reused: 409,
  edit_conflict: 409,
  key_ended: 409,
  last_owner: 409,
  already_member: 409,
  name_taken: 409,
  domain_taken: 409,
  domain_in_use: 409,
  too_many_domains: 409,
  too_many_keys: 409,
  passkey_taken: 409,
  too_many_passkeys: 409,
  too_many_webhooks: 409,
  webhook_disabled: 409,
  too_many_invites: 409,
  mail_off: 409,
  gone: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal_error: 500,
  busy: 503,
  store_unavailable: 503,
  restoring: 503,
  read_only: 503,
  full: 503,
  resolver_unavailable: 503,
  webhooks_off: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;
export type ErrorStatus = (typeof STATUS_BY_CODE)[ErrorCode];

/** The error of one field of a form, in a sentence to show beside it. */
export interface Fault {
  readonly field: string;
  /** Which part of the field it is, such as `rules.2.url` of `rules`; absent if it is all of it. */
  readonly place?: string;
  readonly sentence: string;
  /** The error as a sentence that names the field, if `sentence` does not. */
  readonly detail?: string;
}

interface AppErrorOptions {
  /** The status that the published interface documents, if it differs from the table. */
  readonly status?: ErrorStatus;
  /** After how many whole seconds to try again. */
  readonly retryAfterSeconds?: number;
  /** The methods that are allowed. */
  readonly allow?: readonly string[];
  /** The fields with faults, so that a page can show them beside each field, if the code does not name the field. */
  readonly faults?: readonly Fault[];
  readonly cause?: unknown;
}

/** A failure that the caller sees: one of the codes, and a sentence that names the fault and the remedy. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, sentence: string, options: AppErrorOptions = {}) {
    super(sentence, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? STATUS_BY_CODE[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.faults = options.faults ?? [];
  }
}
