// The API of Terse. Generated from its OpenAPI document by `npm run types`; do not edit.

export interface paths {
    "/tokens/create_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bearer token
         * @description Signs in with a user name and a password. Use the access token at endpoints that accept Bearer, the api_token at those that accept X-API-Key. An application password, which a user creates on the account page, works in place of the password; its tokens have the permissions of an API key. The password of an account with a second factor is refused here as a wrong one.
         */
        get: operations["createToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/token_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the claims of a token
         * @description Describes the token in the `Authorization` header.
         */
        get: operations["getTokenInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/refresh_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get new tokens for a refresh token
         * @description A refresh token works once. If it is sent again within 30 seconds, while its successor is unused, that counts as a lost response: you get another successor, and the unused one is revoked. Any other reuse revokes all tokens of the sign-in, which expires after 30 days at the latest. Other fields are ignored.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/revoke_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the tokens of a sign-in
         * @description Revokes all tokens of the sign-in that the token comes from (RFC 7009). Anything that is not a token of this service gets 200 too. Other fields are ignored.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys that verify tokens
         * @description To verify a token yourself, choose the key with the `kid` of its header.
         */
        get: operations["getPublicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links with their clicks
         * @description Filters use indexes, which fill a page. If several filters have few links in common, a page examines at most 10,000 links, and with `q` at most 500: then it can be short or empty while `cursor` is not null, and `scanned_to` says how far the search has come. Deleted links are listed only with `state=deleted`. In another order than that of creation, a page examines at most 500 links, and links without such clicks come last, newest first.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a short link
         * @description Accepts a form of either type, or JSON. Use any of the optional fields to improve analytics and tracking. An empty field counts as absent, and so does null in JSON. A link without a `slug` gets a generated one. JSON can leave out `client_id` if the credential has only one client, and can have metadata as a JSON value; with `Accept: application/vnd.terse.link+json` the response to JSON is 201 with the managed link. With `reuse`, an active link of the client that has the same destination and fields is answered with (200), if there is one.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 100 short links
         * @description Each link is checked separately: `results` has, in the same order, the link or its error.
         */
        post: operations["createLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shortener/encode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a short link; replaced by POST /v1/links
         * @deprecated
         * @description Deprecated: send the same form to `POST /v1/links`, with an API key from the platform or the api_token of `GET /tokens/create_token` in `X-API-Key`. Tokens issued at or after the cutoff, which is 2027-01-01T00:00:00Z unless the operator has set another time, are refused.
         */
        post: operations["encodeUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the title and the preview of a destination
         * @description Requests a destination and reads the head of its page, so that a new link can get its title and preview. Open Graph comes before `<title>`; the texts fit the fields of a link. Nothing is stored. The requests have three seconds together, come from `TerseBot` without a cookie or a referrer, heed `robots.txt` and `Retry-After`, and go only to hosts of the public internet. At most 256 KiB of a page are read. Only an HTML page with a status from 200 to 299 has texts. Needs the permission `links:write`; 10 look-ups a minute for a credential.
         */
        post: operations["lookUpDestination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/info/{id}/{client_id}/{sec_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link and its clicks, by all three ids
         * @description All three ids must match one link of a client that you belong to. Otherwise the error is `not_found`, with status 400.
         */
        get: operations["getLinkInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link and its clicks
         * @description The ETag is for If-Match and If-None-Match; clicks do not change it. A deleted link is shown until its content is removed.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description Visitors get 410 from then on. The link can be restored for 30 days; then its content is removed, and its slugs stay reserved.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Change a link
         * @description Fields that are left out stay as they are, and null clears. If the slug changes, the old one stays as an alias, of which there may be 20; `aliases` lists those to keep.
         */
        patch: operations["editLink"];
        trace?: never;
    };
    "/v1/links/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted link
         * @description Within 30 days of its deletion. It has the same destination and the same slugs as before.
         */
        post: operations["restoreLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links-by-external-id/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link with an external id, and its clicks
         * @description Like `GET /v1/links/{id}`. An external id `.` or `..` is found by `GET /v1/links` only.
         */
        get: operations["getLinkByExternalId"];
        /**
         * Create the link with an external id, or change it
         * @description Takes the fields of a create. If a link has the external id, it becomes what is sent: fields that are left out are cleared, except the slug and `sec_id`, which stay, and the password, which null removes. `disabled` and `aliases` stay too. The same request again changes nothing, and of several requests at once one creates the link.
         */
        put: operations["putLinkByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try out where a link leads a visitor
         * @description Describe a visitor, and the response is what a GET by that visitor gets, and why. Nothing is counted or changed, so the permission `links:read` is enough. What is left out counts as unknown.
         */
        post: operations["resolveVisit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes to a link, newest first
         * @description Who created, changed, deleted or restored the link, when, and which fields were changed.
         */
        get: operations["listLinkHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/history/{n}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a previous destination of a link
         * @description The destination is checked by the current rules.
         */
        post: operations["restoreLinkTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags, in alphabetical order
         * @description With the number of the links that have each. A tag without links stays until it is deleted.
         */
        get: operations["listTags"];
        put?: never;
        /**
         * Create a tag
         * @description A link that is given a new tag creates it too. A client can have 1,000 tags.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a tag
         * @description It is removed from all links, which stay. This does not change their ETags and histories. A tag that a webhook is limited to is not deleted.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Rename a tag, or change its colour
         * @description All of its links have the new name at once. This does not change their ETags and histories.
         */
        patch: operations["changeTag"];
        trace?: never;
    };
    "/v1/links/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all links as one file
         * @description All links except deleted ones, newest first, as CSV or as one ManagedLink a line, with `clicks_left`. After an error the connection is aborted: a response that ends normally is complete.
         */
        get: operations["exportLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create links from the rows of a file
         * @description Up to 5,000 rows of at most 64 KiB, and 10 MiB in all, in UTF-8 unless `charset`, the Content-Type or a byte order mark says otherwise. CSV begins with a case-insensitive header, and separates cells by comma, semicolon, tab or `|`; NDJSON has one object a line, and JSON a list of objects. A text with a URL in each line is read as a list of URLs. The exports of Bitly, Chhoto URL, Dub, Firebase Dynamic Links, golink, Kutt, Pretty Links, Rebrandly, Shlink, Short.io, Sink, Snapp, tiny.cc, TinyURL and YOURLS are recognised by their columns. Otherwise the fields are `url`, and optionally `slug`, `custom_domain`, `title`, `comments`, `sec_id`, `external_id`, `campaign_name`, `tags`, `metadata`, `starts_at`, `expires_at`, `max_clicks`, `expired_url`, `rules`, `variants`, `fallback`, `redirect_status`, `forward_query`, `forward_path`, `preview`, `inspectable`, `ask_first`, `language`, `check_destination`, `imported_clicks`, `disabled`, `aliases`; the other fields of an export are ignored, except `created_at`. In NDJSON metadata may be a JSON value, and null counts as absent. A link that exists already is `unchanged`. Rows with errors do not stop the others from being imported.
         */
        post: operations["importLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/qr.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a short link as a QR code, in SVG
         * @description A vector image, which stays sharp at every size.
         */
        get: operations["drawQrSvg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/qr.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a short link as a QR code, in PNG
         * @description Modules are whole pixels; the rest of the size widens the margin.
         */
        get: operations["drawQrPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the campaigns of links, by name
         * @description A campaign is listed while a link that is not deleted has it.
         */
        get: operations["listCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a campaign
         * @description For all links that have it, at most 900; each gets an entry in its history. Its past clicks move to the new name. If links or clicks have the new name already, the campaigns are merged: then clicks that came before stay under the former name. If a store does not respond on the way, the same request again does the rest. A campaign named `.` or `..` cannot be renamed here.
         */
        patch: operations["renameCampaign"];
        trace?: never;
    };
    "/v1/links/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break down the clicks of a link
         * @description Up to 400 days. Filters combine: a click fits if it has one of the values of each. If some days can no longer be filtered, the response begins after them, at `filtered_from`.
         */
        get: operations["getLinkStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{id}/stats.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break down the clicks of a link, as CSV
         * @description The rows of `GET /v1/links/{id}/stats` for the same query, with a header. With `compare`, each row has also the columns `compared_…`. The next page begins after the `cursor` of the JSON.
         */
        get: operations["getLinkStatsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{name}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break down the clicks of a campaign
         * @description Of the clicks that came while their link had the campaign. A campaign named `.` or `..` is available only at `/v1/stats`. Filters combine: a click fits if it has one of the values of each. If some days can no longer be filtered, the response begins after them, at `filtered_from`.
         */
        get: operations["getCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break down the clicks of a whole client
         * @description Of all its links, deleted ones included; of one campaign with `campaign_name`; of some links with `link`; of those that have a tag now with `tag`, at most 1,000. Filters combine: a click fits if it has one of the values of each. If some days can no longer be filtered, the response begins after them, at `filtered_from`.
         */
        get: operations["getClientStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break down the clicks of a whole client, as CSV
         * @description The rows of `GET /v1/stats` for the same query, with a header, as in `GET /v1/links/{id}/stats.csv`.
         */
        get: operations["getClientStatsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clicks/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream clicks as they are counted
         * @description Server-sent events, within eight seconds of a click, of all links or of one. `click` has one click, or several that are alike; at most 50 of the clicks of a second, and `more` has the number of the others. A comment comes every 2 seconds. After 15 minutes `end` comes, and the stream ends: connect again, with `Last-Event-ID`. It also ends within a minute if the credential, the link or the client is no longer valid. A client has up to 20 streams.
         */
        get: operations["streamClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List custom domains, newest first
         * @description The domains of the client, in every status; removed ones are not listed.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a custom domain
         * @description The response has the DNS records to set. Several clients can add the same host; it belongs to the last one that verified it.
         */
        post: operations["addDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a custom domain
         * @description The status of the domain, with the DNS records to set, and its app links, which lists leave out.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Remove a custom domain
         * @description A domain that has links is removed only with `force=true`, which deletes them. If there are more links than one request can delete, the error is `domain_in_use`: send the request again until the response is 204.
         */
        delete: operations["removeDomain"];
        options?: never;
        head?: never;
        /**
         * Change the URLs, the case sensitivity, the tolerance and the app links of a domain
         * @description Fields that are left out stay as they are, and null clears. `case_sensitive` can be changed until the domain has its first link; after that the error is `domain_in_use`. The body can have 640 KiB.
         */
        patch: operations["changeDomain"];
        trace?: never;
    };
    "/v1/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a custom domain
         * @description Checks the TXT record in DNS, and requests `/.well-known/terse-domain` from the host. If both are right, the domain becomes active.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/apple-app-site-association": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the file by which links of a domain open in apps of Apple
         * @description On a custom domain, the `apple_app_site_association` of the domain; 404 if it has none. A change takes effect at once in the server process that wrote it, and everywhere within `MEMORY_SECONDS` (30 unless the operator has set another value).
         */
        get: operations["getAppleAppSiteAssociation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/assetlinks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the file by which links of a domain open in Android apps
         * @description On a custom domain, the `asset_links` of the domain; 404 if it has none. A change takes effect at once in the server process that wrote it, and everywhere within `MEMORY_SECONDS` (30 unless the operator has set another value).
         */
        get: operations["getAssetLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/terse-domain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that a host is served by this service
         * @description Available on every host. The check of a domain requests it.
         */
        get: operations["proveHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Owners see the keys of all members, others only their own.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key belongs to one client and to the user who creates it, and stops working when their account is disabled. Its secret is shown only once.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working at once, and stays in the list.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Rename an API key
         * @description The key keeps its id and its secret.
         */
        patch: operations["renameKey"];
        trace?: never;
    };
    "/v1/keys/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll the secret of an API key
         * @description The key gets a new secret and keeps its id. The previous secret works for 24 more hours, or with `former_secret=end` stops working at once, such as one that a removed member knows.
         */
        post: operations["rollKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links that were created with a key, newest first
         * @description A page examines at most 500 links, so it may be short or empty while `cursor` is not null.
         */
        get: operations["listKeyLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description For owners. Secrets are not part of it.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are sent to its URL as Standard Webhooks 1.0.0 describes, signed with its secret, which is shown only once. The URL must lead to the public internet. A client can have 20.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description For owners. The secret is not part of it: `POST /v1/webhooks/{id}/roll` gives a new one.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Its deliveries are deleted with it. If it has very many, the first response is 503, and the webhook is disabled: repeat the request.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook
         * @description An absent field stays unchanged; null clears `tag` and `campaign_name`. Events that happen while it is disabled are not sent later.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll the secret of a webhook
         * @description Deliveries are signed with the new secret, and for 24 more hours with the previous one too.
         */
        post: operations["rollWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Deliveries are kept for 30 days.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts
         * @description The response of the receiver to each attempt.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{event_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description The event is sent now, with the same id and body. If that fails, the attempts follow the schedule from its start.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver all failed events again
         * @description Begins up to 1,000 deliveries anew that have failed, or wait for another attempt after a failed one, oldest first. If `complete` is false, repeat the request for the rest.
         */
        post: operations["redeliverFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the type `webhook.test` to this webhook alone. Its delivery appears in the list within seconds.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a client, those who joined last first
         * @description All users of the client with their roles, disabled accounts included.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{local_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description The user stays signed in, and a member of other clients. With `keys=adopt` their keys keep working in your name, but the removed member still knows the secrets: roll each key that has an `adopted_at` in `GET /v1/keys`, with `former_secret=end`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description A client keeps at least one owner: the last one cannot become a member.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invites, newest first
         * @description Invites that are not accepted, revoked or expired. Their links are not shown again.
         */
        get: operations["listInvites"];
        put?: never;
        /**
         * Create an invite
         * @description The link can be used once, within 72 hours, and only while the user who created it is an owner. With `email` it is mailed too, in the language of that user, if the service sends mail: at most 20 a day for a client, and 3 a week to one address. Beyond that, `mailed` is false, and the link is only shown.
         */
        post: operations["createInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invite
         * @description Its link stops working.
         */
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invite
         * @description With a bearer token, its user joins, and the body has only `token`. Without a credential, `name` and `password` create an account.
         */
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a client, newest first
         * @description Entries are kept for a year.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user, clients and limits of a credential
         * @description Accepts any credential, whatever its scopes. If `clients` has one entry, JSON that creates links can leave out `client_id`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{slug}+": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See where a short link leads, without following it
         * @description A page with the `url` and the day of the creation; nothing is counted. 404 if `inspectable` is false, if the link has a password or a click limit, before `starts_at`, and after its end.
         */
        get: operations["inspectLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a short link
         * @description On the service's host and on custom domains, in any case unless the domain is `case_sensitive`. Trailing slashes and what text programs add to a URL are ignored if no link has exactly this slug. On a custom domain a slug can have up to 4 segments, and unknown slugs can redirect to a URL that the owner has set; an unknown slug is remembered for a minute. What comes first decides: deleted or disabled, `starts_at`, `expires_at`, the password, `max_clicks`, `preview`, the rules, the variants, `url`. The status is `redirect_status`. A page is the response of a link with a password, of one with a `preview` to programs that show link previews, and of one with `max_clicks` to all programs. A GET counts as a click, a HEAD does not. A change of a link takes effect at once in the server process that wrote it, and everywhere within `MEMORY_SECONDS` (30 unless the operator has set another value) and 150 seconds: the cache of KV, its propagation, and the comparison with the database. While a replica of the database is more than 150 seconds behind, redirects that come from it are old for `MEMORY_SECONDS` longer.
         *
         *     A link with a password responds with a form until the visitor has sent the password, as `password` in a POST of the type `application/x-www-form-urlencoded` to the same URL: then with 303 and a cookie, by which the visitor is redirected for 12 hours. A wrong password is a 403 `invalid_password`, too many attempts are a 429, and a POST to any other link is a 405. By plain http the response is a 308 to https. A link with a click limit redirects people only. `/{slug}+` shows where a link leads.
         */
        get: operations["followLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/robots.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the rules for crawlers
         * @description Available on custom domains too.
         */
        get: operations["getRobots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service works
         * @description Without `deep=1` it is always 200 and checks no store: it shows that the Worker responds. With `deep=1`, which needs a bearer token, an API key or a token of the operator’s tools, it checks the database and the cache, and is a 503 with `Retry-After` where the service cannot do all that it should. The code says why: `restoring` (only links that are in memory or in KV redirect), `full` or `read_only` (nothing can be saved; links redirect, and what is saved can be read), or `store_unavailable` with the names of the stores that do not respond within three seconds. Whether the database takes writes is checked at most every ten seconds in each isolate.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description The description of this API, as OpenAPI 3.1.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the changelog
         * @description JSON with `Accept: application/json`, else a page.
         */
        get: operations["getChangelog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changelog.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the changelog as a feed
         * @description RSS 2.0, with one item per release.
         */
        get: operations["getChangelogFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddressCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "address";
            /** @description Networks in CIDR notation (RFC 4632; RFC 4291, section 2.3), IPv4 or IPv6; a single IP address is a network too */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        AuditAuthor: {
            /** @description The id of the user; null for a change by the service itself or its operator */
            local_id: string | null;
            /** @description The name of the user; null for a change by the service itself or its operator, or by a user who has been deleted */
            name: string | null;
        };
        AuditCredential: {
            /** @description The kind of credential, such as `access_token`; other kinds may be added later */
            kind: string;
            /** @description The id of the sign-in, the key, the invite or the reset link; null if there is none */
            id: string | null;
        };
        AuditEntry: {
            /** @description The id of the entry */
            id: string;
            /**
             * Format: date-time
             * @description The time of the change (ISO 8601, UTC)
             */
            at: string;
            /** @description The action, such as `key.created`; other kinds may be added later */
            action: string;
            /** @description What was changed */
            subject: components["schemas"]["AuditSubject"];
            /** @description Details of the change, if there are any */
            details: {
                [key: string]: unknown;
            } | null;
            /** @description The user who changed it */
            by: components["schemas"]["AuditAuthor"];
            /** @description The credential that was used */
            credential: components["schemas"]["AuditCredential"];
        };
        AuditLog: {
            /** @description The changes, newest first */
            entries: components["schemas"]["AuditEntry"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        AuditSubject: {
            /** @description The kind of what was changed: `key`, `application`, `member`, `invite`, `domain`, `client`, `host`, `tag`, `campaign`, `provider`, `share`, `webhook`; other kinds may be added later */
            kind: string;
            /** @description The id of what was changed */
            id: string;
            /** @description The name of what was changed; null if it has none */
            name: string | null;
        };
        BatchCreated: {
            /**
             * @description The link was created (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            outcome: "created";
            /**
             * @description The status of a created link
             * @constant
             */
            status: 201;
            /** @description The link */
            link: components["schemas"]["ManagedLink"];
        };
        BatchRefused: {
            /**
             * @description The link was not created (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            outcome: "error";
            /** @description The status that the error has for a single link */
            status: number;
            /** @description `<code>: <sentence>` */
            error: string;
            /** @description The invalid fields, each with its sentence; absent if the error is not about a field */
            errors?: components["schemas"]["FieldFault"][];
        };
        BatchResults: {
            /** @description One result for each link, in the order of the request */
            results: (components["schemas"]["BatchCreated"] | components["schemas"]["BatchRefused"])[];
        };
        BrowserCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "browser";
            /** @description Names of browsers, as click statistics have them, case-insensitive */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        Campaign: {
            /** @description The name */
            name: string;
            /** @description How many links have it, without deleted ones; 1000 for that many or more */
            links: number;
            /**
             * Format: date-time
             * @description The creation of the newest of these links (ISO 8601, UTC)
             */
            newest_link_at: string;
            /** @description All clicks that came while their link had the campaign; null if the click statistics do not respond */
            clicks: number | null;
            /** @description How many of these were by people; null if the click statistics do not respond */
            humans: number | null;
            /**
             * Format: date-time
             * @description The time of the last of these clicks; null before the first, or if the click statistics do not respond (ISO 8601, UTC)
             */
            last_click_at: string | null;
        };
        CampaignChange: {
            /**
             * @description The new name, without control characters
             * @example Spring 2027
             */
            name: string;
        };
        CampaignList: {
            /** @description The campaigns, by name */
            campaigns: components["schemas"]["Campaign"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        Changelog: {
            /** @description The changes since the newest release */
            unreleased: components["schemas"]["ChangelogEntry"][];
            /** @description The releases, newest first */
            releases: components["schemas"]["ChangelogRelease"][];
        };
        ChangelogChange: {
            /** @description A short description of the change */
            what: string;
            /** @description Whether it breaks programs */
            breaking: boolean;
            /** @description Why the change does not break programs, if the general rules cannot decide it */
            reason?: string;
        };
        ChangelogEntry: {
            /**
             * @description What happened to the operation
             * @enum {string}
             */
            kind: "added" | "removed" | "deprecated" | "changed";
            /** @description The method of the operation */
            method: string;
            /** @description The path of the operation, as in the API document of that release */
            path: string;
            /** @description Whether it breaks programs */
            breaking: boolean;
            /** @description A remark */
            note?: string;
            /** @description The changes in the operation; empty if it was added or removed */
            changes: components["schemas"]["ChangelogChange"][];
        };
        ChangelogRelease: {
            /** @description The version, such as 1.2.0 */
            version: string;
            /**
             * Format: date
             * @description The day of the release
             */
            date: string;
            /** @description The changes in this release */
            entries: components["schemas"]["ChangelogEntry"][];
        };
        ClickedLink: {
            /** @description The id of the link, the "model id" of info */
            id: string;
            /**
             * Format: uri
             * @description The URL that visitors follow
             */
            short_url: string;
            /** @description The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows */
            url: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The secondary id; generated if none was sent */
            sec_id: string;
            /** @description The campaign of the link; null if it has none */
            campaign_name: string | null;
            /** @description The custom domain of the link; null on the service's own host */
            custom_domain: string | null;
            /** @description The JSON text that was sent, byte for byte */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the link was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The slug in `short_url` */
            slug: string;
            /** @description Other slugs on the same host that lead to the link */
            aliases: string[];
            /** @description The title of the link; null if it has none */
            title: string | null;
            /** @description The comments on the link; null if it has none */
            comments: string | null;
            /** @description The id of the link in your own system; null if it has none */
            external_id: string | null;
            /** @description The names of the tags of the link, in the order of the alphabet */
            tags: string[];
            /**
             * Format: date-time
             * @description When the link begins to redirect; null if it does from its creation on
             */
            starts_at: string | null;
            /**
             * Format: date-time
             * @description When the link expires; null for never
             */
            expires_at: string | null;
            /** @description How many visits by people are redirected; null for no limit */
            max_clicks: number | null;
            /** @description Where visitors are redirected after the expiry or the last click; null for status 410 */
            expired_url: string | null;
            /** @description The rules that lead some visitors elsewhere; null if the link has none */
            rules: components["schemas"]["Rule"][] | null;
            /** @description The destinations among which visitors are divided; null if the link has none */
            variants: components["schemas"]["Variant"][] | null;
            /** @description Where visitors without the app of a destination continue; null to redirect all to the app */
            fallback: string | null;
            /** @description The status of the redirect; null for 302 */
            redirect_status: number | null;
            /** @description How the query of a visit is passed on to the destination; null if it is not */
            forward_query: string | null;
            /** @description Whether the rest of the path of a visit is appended to the destination; null for no */
            forward_path: boolean | null;
            /** @description The title, the description and the image of link previews; null for those of the destination */
            preview: components["schemas"]["Preview"] | null;
            /** @description Whether the page at the short URL with a final `+` shows where the link leads; null for yes */
            inspectable: boolean | null;
            /** @description Whether visitors get a page with the host of the destination and a button first; null for no */
            ask_first: boolean | null;
            /** @description The language of the pages for visitors; null for the one that each of them prefers */
            language: string | null;
            /** @description Whether the destinations of the link are checked; null for what its workspace says */
            check_destination: boolean | null;
            /** @description The clicks before the import, which are not in the statistics; null if none were imported */
            imported_clicks: number | null;
            /** @description Whether the link has a password */
            has_password: boolean;
            /** @description Whether the link is disabled */
            disabled: boolean;
            /**
             * @description deleted, else disabled, else expired, else active
             * @enum {string}
             */
            state: "active" | "expired" | "disabled" | "deleted";
            /** @description The custom domain while it is pending, so that the link does not redirect yet; otherwise null */
            waits_for: string | null;
            /** @description The destination that has failed two checks, at least a day apart; null if there is none, if they are not checked, or if the link is not active. It changes nothing for visitors */
            unhealthy: components["schemas"]["Unhealthy"] | null;
            /**
             * Format: date-time
             * @description When the link was last changed (ISO 8601, UTC)
             */
            updated_at: string;
            /** @description How many more visits by people are redirected; null without a click limit, or if it does not respond */
            clicks_left: number | null;
            /** @description All clicks; null if the click statistics do not respond */
            clicks: number | null;
            /** @description How many of these were by people; null if the click statistics do not respond */
            humans: number | null;
            /**
             * Format: date-time
             * @description The time of the last click; null before the first, or if the click statistics do not respond (ISO 8601, UTC)
             */
            last_click_at: string | null;
        };
        ClickedLinkList: {
            /** @description The links, in the order of `sort` */
            links: components["schemas"]["ClickedLink"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
            /**
             * Format: date-time
             * @description The creation time of the last link that the page has examined; null at the end of the list (ISO 8601, UTC)
             */
            scanned_to: string | null;
        };
        ComparedStats: {
            /**
             * Format: date
             * @description The first day
             */
            from: string;
            /**
             * Format: date
             * @description The last day, itself included
             */
            to: string;
            /**
             * Format: date
             * @description The first day that is counted, if the days before can no longer be filtered or broken down like this; null if all days are counted
             */
            filtered_from: string | null;
            /** @description All clicks */
            total: number;
            /** @description Clicks of people */
            humans: number;
            /** @description Clicks of programs */
            bots: number;
            /** @description Requests for link previews, for example by messengers */
            previews: number;
            /** @description People a day, summed; null for campaigns, tags and several links, with a filter, and for days that are not known */
            visitors: components["schemas"]["Visitors"] | null;
            /** @description Every day, hour or weekday of the range, in order, and on a page those at the places of the rows above, counted from the end; else the values of the rows above, in their order */
            rows: components["schemas"]["StatsRow"][];
        };
        Condition: {
            /** @description The type of the condition: country, region, continent, language, device, os, browser, visitor, referrer, address, query, date, hours */
            type: string;
            /** @description The values, one of which fits */
            in?: string[];
            /** @description The name of the query parameter */
            name?: string;
            /** @description The first instant, or the time at which the hours begin */
            from?: string;
            /** @description The end, exclusive, or the time at which the hours end */
            until?: string;
            /** @description The days on which the hours begin; absent for all */
            days?: string[];
            /** @description The time zone of the hours */
            tz?: string;
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        ContinentCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "continent";
            /** @description Codes of continents, case-insensitive: AF, AN, AS, EU, NA, OC, SA */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        CountryCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "country";
            /** @description Codes of countries (ISO 3166-1 alpha-2), case-insensitive */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        CreatedLink: {
            /** @description The id of the link, the "model id" of info */
            id: string;
            /**
             * Format: uri
             * @description The URL that visitors follow
             */
            short_url: string;
            /** @description The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows */
            url: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The secondary id; generated if none was sent */
            sec_id: string;
            /** @description The campaign of the link; null if it has none */
            campaign_name: string | null;
            /** @description The custom domain of the link; null on the service's own host */
            custom_domain: string | null;
            /** @description The JSON text that was sent, byte for byte */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the link was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The slug in `short_url` */
            slug: string;
            /** @description Other slugs on the same host that lead to the link */
            aliases: string[];
            /** @description The title of the link; null if it has none */
            title: string | null;
            /** @description The comments on the link; null if it has none */
            comments: string | null;
            /** @description The id of the link in your own system; null if it has none */
            external_id: string | null;
            /** @description The names of the tags of the link, in the order of the alphabet */
            tags: string[];
            /**
             * Format: date-time
             * @description When the link begins to redirect; null if it does from its creation on
             */
            starts_at: string | null;
            /**
             * Format: date-time
             * @description When the link expires; null for never
             */
            expires_at: string | null;
            /** @description How many visits by people are redirected; null for no limit */
            max_clicks: number | null;
            /** @description Where visitors are redirected after the expiry or the last click; null for status 410 */
            expired_url: string | null;
            /** @description The rules that lead some visitors elsewhere; null if the link has none */
            rules: components["schemas"]["Rule"][] | null;
            /** @description The destinations among which visitors are divided; null if the link has none */
            variants: components["schemas"]["Variant"][] | null;
            /** @description Where visitors without the app of a destination continue; null to redirect all to the app */
            fallback: string | null;
            /** @description The status of the redirect; null for 302 */
            redirect_status: number | null;
            /** @description How the query of a visit is passed on to the destination; null if it is not */
            forward_query: string | null;
            /** @description Whether the rest of the path of a visit is appended to the destination; null for no */
            forward_path: boolean | null;
            /** @description The title, the description and the image of link previews; null for those of the destination */
            preview: components["schemas"]["Preview"] | null;
            /** @description Whether the page at the short URL with a final `+` shows where the link leads; null for yes */
            inspectable: boolean | null;
            /** @description Whether visitors get a page with the host of the destination and a button first; null for no */
            ask_first: boolean | null;
            /** @description The language of the pages for visitors; null for the one that each of them prefers */
            language: string | null;
            /** @description Whether the destinations of the link are checked; null for what its workspace says */
            check_destination: boolean | null;
            /** @description The clicks before the import, which are not in the statistics; null if none were imported */
            imported_clicks: number | null;
            /** @description Whether the link has a password */
            has_password: boolean;
            /** @description Whether the link is disabled */
            disabled: boolean;
            /**
             * @description deleted, else disabled, else expired, else active
             * @enum {string}
             */
            state: "active" | "expired" | "disabled" | "deleted";
            /** @description The custom domain while it is pending, so that the link does not redirect yet; otherwise null */
            waits_for: string | null;
            /** @description The destination that has failed two checks, at least a day apart; null if there is none, if they are not checked, or if the link is not active. It changes nothing for visitors */
            unhealthy: components["schemas"]["Unhealthy"] | null;
            /**
             * Format: date-time
             * @description When the link was last changed (ISO 8601, UTC)
             */
            updated_at: string;
            /** @description Whether the link existed already; in responses to requests with `reuse` */
            reused?: boolean;
        };
        DateCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "date";
            /**
             * Format: date-time
             * @description The first instant; left out if there is none
             */
            from?: string;
            /**
             * Format: date-time
             * @description The end, exclusive; left out if there is none
             */
            until?: string;
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        DayCounts: {
            /**
             * Format: date
             * @description The UTC day
             */
            day: string;
            /** @description All clicks */
            total: number;
            /** @description Clicks of people */
            humans: number;
            /** @description Clicks of programs */
            bots: number;
            /** @description Requests for link previews, for example by messengers */
            previews: number;
        };
        Delivery: {
            /** @description The id of the event, which is the `webhook-id` of each attempt */
            event_id: string;
            /** @description The type of the event */
            type: string;
            /**
             * Format: date-time
             * @description When it happened (ISO 8601, UTC)
             */
            happened_at: string;
            /**
             * @description `pending`: an attempt follows; `delivered`; `failed`: no further attempt follows by itself
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description How many attempts there were, of which the newest 50 are kept */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none is (ISO 8601, UTC)
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the receiver accepted it; null if it has not (ISO 8601, UTC)
             */
            delivered_at: string | null;
        };
        DeliveryAttempt: {
            /** @description Its number, from 1 */
            number: number;
            /**
             * Format: date-time
             * @description When it began (ISO 8601, UTC)
             */
            at: string;
            /** @description How long it took */
            milliseconds: number;
            /** @description The status of the response; null if none came */
            status: number | null;
            /** @description Why no response came: `timeout` (none within 15 seconds), `unreachable` (no connection), `refused_host` (not sent: the host has no public address in DNS, or is one of this service), `refused_port` (not sent: the port of the URL is one of a database, a cache or another protocol than HTTP), `unreadable_secret` (not sent: the service cannot decrypt the secret, so roll it); null if one came */
            reason: string | null;
            /** @description The first KiB of the response */
            response: string;
        };
        DeliveryList: {
            /** @description The deliveries, newest first */
            deliveries: components["schemas"]["Delivery"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        DeliveryWithLog: {
            /** @description The id of the event, which is the `webhook-id` of each attempt */
            event_id: string;
            /** @description The type of the event */
            type: string;
            /**
             * Format: date-time
             * @description When it happened (ISO 8601, UTC)
             */
            happened_at: string;
            /**
             * @description `pending`: an attempt follows; `delivered`; `failed`: no further attempt follows by itself
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description How many attempts there were, of which the newest 50 are kept */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none is (ISO 8601, UTC)
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the receiver accepted it; null if it has not (ISO 8601, UTC)
             */
            delivered_at: string | null;
            /** @description The attempts, oldest first */
            log: components["schemas"]["DeliveryAttempt"][];
        };
        DeviceCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "device";
            /** @description Kinds of devices: mobile, tablet, desktop */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        DnsRecord: {
            /** @description The name of the record */
            name: string;
            /** @description The value of the record */
            value: string;
        };
        Domain: {
            /** @description The id of the domain */
            id: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The host name of the domain, in lower case and punycode */
            host: string;
            /**
             * @description pending: not verified yet; active: links can be created on it; lost: verification failed, and only existing links work
             * @enum {string}
             */
            status: "pending" | "active" | "lost";
            /** @description Where the root of the domain redirects to; null for a 404 page */
            root_url: string | null;
            /** @description Where an unknown slug redirects to; null for a 404 page */
            not_found_url: string | null;
            /** @description Whether two slugs can differ only in case */
            case_sensitive: boolean;
            /** @description Whether a path that has no link is followed without what text programs add to it */
            tolerant: boolean;
            /** @description How many characters the slugs of links without a chosen one have */
            slug_length: number;
            /** @description The DNS records to set */
            dns: components["schemas"]["DomainDns"];
            /**
             * Format: date-time
             * @description When the domain was added (ISO 8601, UTC)
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the domain was first verified; null before (ISO 8601, UTC)
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When the domain was last checked; null before (ISO 8601, UTC)
             */
            checked_at: string | null;
            /** @description How many daily checks in a row failed */
            failures: number;
            /** @description The next step, as a sentence; null if there is none */
            next: string | null;
        };
        DomainChange: {
            /**
             * @description Where GET / redirects to; null for a 404 page
             * @example https://example.com/page
             */
            root_url?: string | null;
            /**
             * @description Where unknown slugs redirect to; null for a 404 page
             * @example https://example.com/page
             */
            not_found_url?: string | null;
            /** @description Whether two slugs may differ in case only. It can be changed until the domain has its first link. */
            case_sensitive?: boolean;
            /** @description Whether a path that has no link is followed without what text programs add to it, such as a full stop. True by default. */
            tolerant?: boolean;
            /** @description How many characters the slugs of links without a chosen one have. 8 by default. */
            slug_length?: number;
            /** @description The file `apple-app-site-association` of Apple, as a JSON text or as the value itself; null deletes it */
            apple_app_site_association?: unknown | null;
            /** @description The file `assetlinks.json` of Google, as a JSON text or as the value itself; null deletes it */
            asset_links?: unknown | null;
        };
        DomainChecks: {
            /**
             * @description The result of the TXT lookup
             * @enum {string}
             */
            dns: "ok" | "other_value" | "no_record" | "no_such_name" | "server_failure";
            /**
             * @description The result of the request to the host
             * @enum {string}
             */
            http: "ok" | "unreachable" | "redirected" | "other_service";
        };
        DomainDns: {
            /** @description The TXT record that proves that you own the domain */
            txt: components["schemas"]["DnsRecord"];
            /** @description The CNAME record that sends visitors to this service */
            cname: components["schemas"]["DnsRecord"];
        };
        DomainList: {
            /** @description The domains, newest first */
            domains: components["schemas"]["Domain"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        DomainWithAppLinks: {
            /** @description The id of the domain */
            id: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The host name of the domain, in lower case and punycode */
            host: string;
            /**
             * @description pending: not verified yet; active: links can be created on it; lost: verification failed, and only existing links work
             * @enum {string}
             */
            status: "pending" | "active" | "lost";
            /** @description Where the root of the domain redirects to; null for a 404 page */
            root_url: string | null;
            /** @description Where an unknown slug redirects to; null for a 404 page */
            not_found_url: string | null;
            /** @description Whether two slugs can differ only in case */
            case_sensitive: boolean;
            /** @description Whether a path that has no link is followed without what text programs add to it */
            tolerant: boolean;
            /** @description How many characters the slugs of links without a chosen one have */
            slug_length: number;
            /** @description The DNS records to set */
            dns: components["schemas"]["DomainDns"];
            /**
             * Format: date-time
             * @description When the domain was added (ISO 8601, UTC)
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the domain was first verified; null before (ISO 8601, UTC)
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When the domain was last checked; null before (ISO 8601, UTC)
             */
            checked_at: string | null;
            /** @description How many daily checks in a row failed */
            failures: number;
            /** @description The next step, as a sentence; null if there is none */
            next: string | null;
            /** @description The JSON text that the domain serves at `/.well-known/apple-app-site-association`, byte for byte; null if there is none */
            apple_app_site_association: string | null;
            /** @description The JSON text that the domain serves at `/.well-known/assetlinks.json`, byte for byte; null if there is none */
            asset_links: string | null;
        };
        EncodeForm: {
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
            /**
             * @description Client id of the service customer; neither `.` nor `..`
             * @example acme
             */
            client_id: string;
            /**
             * @description Campaign name, without control characters
             * @example Spring 2026
             */
            campaign_name?: string;
            /**
             * @description Custom domain for the short link
             * @example go.example.com
             */
            custom_domain?: string;
            /**
             * @description Metadata given as a JSON text, of at most 4096 bytes
             * @example {"team":"web"}
             */
            metadata?: string;
            /**
             * @description Secondary link id; neither `.` nor `..`
             * @example print-2026
             */
            sec_id?: string;
        };
        /**
         * @description The body of every error, except those with a body of their own
         * @example {
         *       "result": "Failed",
         *       "error": "missing_field: url is required."
         *     }
         */
        Failure: {
            /**
             * @description Always `Failed`
             * @constant
             */
            result: "Failed";
            /** @description `<code>: <sentence>`; the codes are listed with each status */
            error: string;
        };
        FieldChange: {
            /** @description The value before; null if it was empty */
            from: string | string[] | null;
            /** @description The value after; null if it is empty */
            to: string | string[] | null;
        };
        FieldFault: {
            /** @description The name of the field */
            field: string;
            /** @description What is wrong with it */
            detail: string;
        };
        FoundPage: {
            /** @description The status of the response, after at most five redirects */
            status: number;
            /** @description The title, at most 200 characters; null if the page has none, or if the response is not an HTML page */
            title: string | null;
            /** @description The description, at most 500 characters; null if the page has none, or if the response is not an HTML page */
            description: string | null;
            /** @description The http or https URL of the image, which is not requested; null if the page has none, or if the response is not an HTML page */
            image: string | null;
        };
        Health: {
            /**
             * @description Always `ok`; if something does not work, the status is 503
             * @constant
             */
            status: "ok";
            /** @description The stores that were checked: the database and the cache */
            checked: ("d1" | "kv")[];
        };
        HistoryEntry: {
            /** @description The number of the entry; 1 is the creation of the link */
            n: number;
            /**
             * Format: date-time
             * @description The time of the change (ISO 8601, UTC)
             */
            at: string;
            /** @description created, edited, deleted or restored */
            action: string;
            /** @description The user or the key that changed the link */
            by: components["schemas"]["LinkAuthor"];
            /** @description The destination after the change */
            url: string;
            /** @description The changed fields */
            changes: {
                [key: string]: components["schemas"]["FieldChange"];
            };
        };
        HostProof: {
            /**
             * @description Always `terse`
             * @constant
             */
            service: "terse";
            /** @description The host of the request */
            host: string;
            /** @description An HMAC of the host and the nonce; null without a nonce */
            proof: string | null;
        };
        HoursCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "hours";
            /** @description The days on which the hours begin; left out for every day */
            days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /**
             * @description When the hours begin, on the clocks of the zone
             * @example 09:00
             */
            from: string;
            /**
             * @description When they end; if it is before `from`, it is on the next day
             * @example 09:00
             */
            until: string;
            /**
             * @description The IANA time zone
             * @example Europe/Berlin
             */
            tz: string;
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        ImportForm: {
            /**
             * Format: binary
             * @description The file; the name of its field may differ
             */
            file: string;
        };
        ImportResults: {
            /** @description Whether this was a dry run, which changes nothing */
            dry_run: boolean;
            /** @description How many links were created */
            created: number;
            /** @description How many links existed already */
            unchanged: number;
            /** @description How many rows have errors */
            errors: number;
            /** @description The format that was recognised or chosen */
            format: components["schemas"]["ImportedFormat"];
            /** @description The columns of the file, up to 64 */
            columns: components["schemas"]["ImportedColumn"][];
            /** @description What is not kept of the whole file, and how its dates were read */
            notes: string[];
            /** @description The hosts that the file names for its links, up to 100, those with the most links first */
            hosts: components["schemas"]["ImportedHost"][];
            /** @description The domains of the file that are not verified yet: its links wait for them */
            pending_domains: components["schemas"]["WaitedForDomain"][];
            /** @description The rows of which no link is created, since it was deleted where it comes from */
            skipped: components["schemas"]["SkippedRow"][];
            /** @description One result for each row, in the order of the file */
            results: (components["schemas"]["ImportedRow"] | components["schemas"]["RefusedRow"])[];
        };
        ImportedColumn: {
            /** @description The name of the column in the file */
            column: string;
            /** @description The field of a link that it becomes; null if it is not kept */
            field: string | null;
        };
        ImportedFormat: {
            /** @description A value of `from`; `mapped` if the request maps the columns */
            id: string;
            /** @description The name of the service that has written the file */
            name: string;
            /**
             * @description recognised: by the columns; chosen: by `from`; mapped: by `map_url` and others
             * @enum {string}
             */
            by: "recognised" | "chosen" | "mapped";
        };
        ImportedHost: {
            /** @description The host of short URLs in the file */
            host: string;
            /** @description How many rows name it */
            rows: number;
        };
        ImportedRow: {
            /** @description The number of the row, counted from 1 as in a spreadsheet or an editor: the header of a CSV is row 1, and empty rows count; in JSON the place in the list */
            row: number;
            /**
             * @description created: the link was created; unchanged: an equal link existed already (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "created" | "unchanged";
            /** @description What is not kept of the row, or is not as before; absent if there is nothing to say */
            notes?: string[];
            /** @description The link; absent if a dry run would create it */
            link?: components["schemas"]["ManagedLink"];
        };
        Invite: {
            /** @description The id of the invite */
            id: string;
            /**
             * @description Owners also manage members, domains and all keys
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description When the invite was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The name of the owner who created the invite */
            created_by: string;
            /**
             * Format: date-time
             * @description When the invite expires (ISO 8601, UTC)
             */
            expires_at: string;
        };
        InviteAcceptance: components["schemas"]["InviteAcceptanceAsNew"] | components["schemas"]["InviteAcceptanceAsUser"];
        InviteAcceptanceAsNew: {
            /** @description The last segment of the link that the invite is */
            token: string;
            /**
             * @description The name to sign in with: 1 to 128 characters, no colon
             * @example eve
             */
            name: string;
            /** @description The password to sign in with */
            password: string;
        };
        InviteAcceptanceAsUser: {
            /** @description The last segment of the link that the invite is */
            token: string;
        };
        InviteList: {
            /** @description The invites, newest first */
            invites: components["schemas"]["Invite"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        InviteWithLink: {
            /** @description The id of the invite */
            id: string;
            /**
             * @description Owners also manage members, domains and all keys
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description When the invite was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The name of the owner who created the invite */
            created_by: string;
            /**
             * Format: date-time
             * @description When the invite expires (ISO 8601, UTC)
             */
            expires_at: string;
            /**
             * Format: uri
             * @description The link, shown only once
             */
            url: string;
            /** @description True if the link is on its way to `email` */
            mailed: boolean;
        };
        Joined: {
            /** @description The client that the user has joined */
            client_id: string;
            /** @description The id of the user */
            local_id: string;
            /** @description The name of the user */
            name: string;
            /**
             * @description Owners also manage members, domains and all keys
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description When the user joined the client (ISO 8601, UTC)
             */
            joined_at: string;
        };
        Key: {
            /** @description The id of the key, the part of it between `tk_` and the secret */
            id: string;
            /** @description The name of the key */
            name: string;
            /** @description The permissions of the key */
            scopes: ("links:read" | "links:write" | "stats:read")[];
            /**
             * Format: date-time
             * @description When the key was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The name of the user who created the key; the key stops working when their account is disabled */
            created_by: string;
            /**
             * Format: date-time
             * @description When the key expires; null for never (ISO 8601, UTC)
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, updated at most once an hour; null before the first use (ISO 8601, UTC)
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null if it was not (ISO 8601, UTC)
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When the secret from before the last roll expires; null if none still works (ISO 8601, UTC)
             */
            former_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description When the key was transferred from a removed member, who still knows its secret; null if it was not, or has been rolled since (ISO 8601, UTC)
             */
            adopted_at: string | null;
        };
        KeyChange: {
            /**
             * @description The name of the key in lists; without spaces at the start or end
             * @example build server
             */
            name: string;
        };
        KeyList: {
            /** @description The keys, newest first */
            keys: components["schemas"]["Key"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        KeyWithSecret: {
            /** @description The id of the key, the part of it between `tk_` and the secret */
            id: string;
            /** @description The name of the key */
            name: string;
            /** @description The permissions of the key */
            scopes: ("links:read" | "links:write" | "stats:read")[];
            /**
             * Format: date-time
             * @description When the key was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The name of the user who created the key; the key stops working when their account is disabled */
            created_by: string;
            /**
             * Format: date-time
             * @description When the key expires; null for never (ISO 8601, UTC)
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, updated at most once an hour; null before the first use (ISO 8601, UTC)
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null if it was not (ISO 8601, UTC)
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When the secret from before the last roll expires; null if none still works (ISO 8601, UTC)
             */
            former_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description When the key was transferred from a removed member, who still knows its secret; null if it was not, or has been rolled since (ISO 8601, UTC)
             */
            adopted_at: string | null;
            /** @description The whole key with its secret, shown only once */
            key: string;
        };
        LanguageCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "language";
            /** @description Language ranges (RFC 4647, section 2.1) such as de, or pt-BR for the language of a country; * is any language */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        LinkAuthor: {
            /** @description The name of the user; null if the user no longer exists */
            user: string | null;
            /** @description The id of the API key; null if none was used */
            key_id: string | null;
        };
        LinkChange: {
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url?: string;
            /**
             * @description The path of the short link: 1 to 64 letters, digits, `-` and `_` of any script; on a custom domain also dots, emoji and up to 4 segments with `/` between. Generated if left out.
             * @example spring-sale
             */
            slug?: string;
            /**
             * @description A title to find the link by, without control characters; visitors do not see it
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description Comments for the people who manage the link; visitors do not see them. Line ends are kept as line feeds.
             * @example For the poster at the station.
             */
            comments?: string | null;
            /**
             * @description Secondary link id; neither `.` nor `..`
             * @example print-2026
             */
            sec_id?: string;
            /**
             * @description The id of the link in your own system: 1 to 128 visible ASCII characters, which no other link has
             * @example product-4712
             */
            external_id?: string | null;
            /**
             * @description Campaign name, without control characters
             * @example Spring 2026
             */
            campaign_name?: string | null;
            /**
             * @description The names of up to 20 tags, case-insensitive: a tag that does not exist is created, and an empty list clears the field
             * @example [
             *       "Summer",
             *       "Print"
             *     ]
             */
            tags?: string[] | null;
            /** @description Metadata, as a JSON text or as the value itself; null clears it */
            metadata?: unknown | null;
            /**
             * Format: date-time
             * @description When the link begins to redirect
             * @example 2027-01-01T00:00:00Z
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description When the link expires
             * @example 2099-12-31T00:00:00Z
             */
            expires_at?: string | null;
            /**
             * @description A password that visitors enter before they are redirected. It is stored as a hash, and never shown again.
             * @example open sesame
             */
            password?: string | null;
            /**
             * @description How many visits by people are redirected; after that, visitors get 410
             * @example 500
             */
            max_clicks?: number | null;
            /**
             * @description Where visitors are redirected once the link has expired
             * @example https://example.com/over
             */
            expired_url?: string | null;
            /**
             * @description Up to 20 rules, in order: a visitor is redirected to the URL of the first one whose conditions all hold. Their conditions name at most 8 different time zones. A rule without a name gets one
             * @example [
             *       {
             *         "name": "Phones",
             *         "if": [
             *           {
             *             "type": "device",
             *             "in": [
             *               "mobile"
             *             ]
             *           }
             *         ],
             *         "url": "https://example.com/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["NewRule"][] | null;
            /**
             * @description 2 to 8 variants, which divide the visitors that no rule has decided on by weight: the same visitor always gets the same one. A variant without a name gets one
             * @example [
             *       {
             *         "name": "A",
             *         "url": "https://example.com/old-page",
             *         "weight": 50
             *       },
             *       {
             *         "name": "B",
             *         "url": "https://example.com/new-page",
             *         "weight": 50
             *       }
             *     ]
             */
            variants?: components["schemas"]["NewVariant"][] | null;
            /**
             * @description Where visitors continue who do not have the app, if a destination of the link opens one, as `myapp://open` does. People get a page that opens the app and, on phones, continues there after 1.5 seconds; programs are redirected there.
             * @example https://example.com/app
             */
            fallback?: string | null;
            /** @description The status of the redirect */
            redirect_status?: (302 | 301 | 307 | 308) | null;
            /** @description Passes the query of the visit on to the destination: with `keep`, parameters that the destination has stay; with `override`, those of the visit replace them */
            forward_query?: ("keep" | "override") | null;
            /**
             * @description Whether the rest of the path of a visit is appended to the destination; for links on a custom domain, below whose slug there is no other link
             * @example true
             */
            forward_path?: boolean | null;
            /** @description What programs show that draw a preview of the link, such as messengers */
            preview?: components["schemas"]["NewPreview"] | null;
            /**
             * @description Whether the short URL with a final `+` shows where the link leads; true if left out
             * @example false
             */
            inspectable?: boolean | null;
            /**
             * @description Whether visitors get a page with the host of the destination and a button before they are redirected. Only the button counts as a click, and takes one of `max_clicks`, so that programs which open links of mails take none.
             * @example true
             */
            ask_first?: boolean | null;
            /** @description The language of the pages for visitors, such as that with the form of a password; without it, the one that each visitor prefers (`Accept-Language`), else English */
            language?: ("ar" | "de" | "en" | "es" | "fr" | "ja" | "pt" | "zh-Hans") | null;
            /**
             * @description Whether the destinations of the link are checked at least every 7 days, so that it can be `unhealthy`; as its workspace says if left out
             * @example true
             */
            check_destination?: boolean | null;
            /** @description Whether the link is disabled; visitors get 410 */
            disabled?: boolean;
            /** @description The aliases to keep */
            aliases?: string[];
        };
        LinkClicks: {
            /** @description All clicks */
            total: number;
            /** @description Clicks of people */
            humans: number;
            /** @description Clicks of programs */
            bots: number;
            /** @description Requests for link previews, for example by messengers */
            previews: number;
            /** @description Distinct people since midnight UTC */
            visitors_today: number;
            /**
             * Format: date-time
             * @description The time of the last click; null before the first (ISO 8601, UTC)
             */
            last_at: string | null;
            /** @description The last 30 UTC days, today included */
            by_day: components["schemas"]["DayCounts"][];
        };
        LinkHistory: {
            /** @description The changes, newest first */
            history: components["schemas"]["HistoryEntry"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        LinkInfo: {
            /** @description The id of the link, the "model id" of info */
            id: string;
            /**
             * Format: uri
             * @description The URL that visitors follow
             */
            short_url: string;
            /** @description The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows */
            url: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The secondary id; generated if none was sent */
            sec_id: string;
            /** @description The campaign of the link; null if it has none */
            campaign_name: string | null;
            /** @description The custom domain of the link; null on the service's own host */
            custom_domain: string | null;
            /** @description The JSON text that was sent, byte for byte */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the link was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The clicks of the link */
            clicks: components["schemas"]["LinkClicks"];
        };
        LinkInfoResult: {
            /** @description Absent on success */
            error?: string;
            /** @description The record and its clicks, as JSON text */
            result: string;
        };
        LinkList: {
            /** @description The links, newest first */
            links: components["schemas"]["ManagedLink"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
            /**
             * Format: date-time
             * @description The creation time of the last link that the page has examined; null at the end of the list (ISO 8601, UTC)
             */
            scanned_to: string | null;
        };
        LinkRecord: {
            /** @description The id of the link, the "model id" of info */
            id: string;
            /**
             * Format: uri
             * @description The URL that visitors follow
             */
            short_url: string;
            /** @description The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows */
            url: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The secondary id; generated if none was sent */
            sec_id: string;
            /** @description The campaign of the link; null if it has none */
            campaign_name: string | null;
            /** @description The custom domain of the link; null on the service's own host */
            custom_domain: string | null;
            /** @description The JSON text that was sent, byte for byte */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the link was created (ISO 8601, UTC)
             */
            created_at: string;
        };
        LinkResult: {
            /** @description Absent on success */
            error?: string;
            /** @description The record, as JSON text */
            result: string;
        };
        Lookup: {
            /**
             * @description URL to be encoded: http or https; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
        };
        ManagedLink: {
            /** @description The id of the link, the "model id" of info */
            id: string;
            /**
             * Format: uri
             * @description The URL that visitors follow
             */
            short_url: string;
            /** @description The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows */
            url: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The secondary id; generated if none was sent */
            sec_id: string;
            /** @description The campaign of the link; null if it has none */
            campaign_name: string | null;
            /** @description The custom domain of the link; null on the service's own host */
            custom_domain: string | null;
            /** @description The JSON text that was sent, byte for byte */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the link was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The slug in `short_url` */
            slug: string;
            /** @description Other slugs on the same host that lead to the link */
            aliases: string[];
            /** @description The title of the link; null if it has none */
            title: string | null;
            /** @description The comments on the link; null if it has none */
            comments: string | null;
            /** @description The id of the link in your own system; null if it has none */
            external_id: string | null;
            /** @description The names of the tags of the link, in the order of the alphabet */
            tags: string[];
            /**
             * Format: date-time
             * @description When the link begins to redirect; null if it does from its creation on
             */
            starts_at: string | null;
            /**
             * Format: date-time
             * @description When the link expires; null for never
             */
            expires_at: string | null;
            /** @description How many visits by people are redirected; null for no limit */
            max_clicks: number | null;
            /** @description Where visitors are redirected after the expiry or the last click; null for status 410 */
            expired_url: string | null;
            /** @description The rules that lead some visitors elsewhere; null if the link has none */
            rules: components["schemas"]["Rule"][] | null;
            /** @description The destinations among which visitors are divided; null if the link has none */
            variants: components["schemas"]["Variant"][] | null;
            /** @description Where visitors without the app of a destination continue; null to redirect all to the app */
            fallback: string | null;
            /** @description The status of the redirect; null for 302 */
            redirect_status: number | null;
            /** @description How the query of a visit is passed on to the destination; null if it is not */
            forward_query: string | null;
            /** @description Whether the rest of the path of a visit is appended to the destination; null for no */
            forward_path: boolean | null;
            /** @description The title, the description and the image of link previews; null for those of the destination */
            preview: components["schemas"]["Preview"] | null;
            /** @description Whether the page at the short URL with a final `+` shows where the link leads; null for yes */
            inspectable: boolean | null;
            /** @description Whether visitors get a page with the host of the destination and a button first; null for no */
            ask_first: boolean | null;
            /** @description The language of the pages for visitors; null for the one that each of them prefers */
            language: string | null;
            /** @description Whether the destinations of the link are checked; null for what its workspace says */
            check_destination: boolean | null;
            /** @description The clicks before the import, which are not in the statistics; null if none were imported */
            imported_clicks: number | null;
            /** @description Whether the link has a password */
            has_password: boolean;
            /** @description Whether the link is disabled */
            disabled: boolean;
            /**
             * @description deleted, else disabled, else expired, else active
             * @enum {string}
             */
            state: "active" | "expired" | "disabled" | "deleted";
            /** @description The custom domain while it is pending, so that the link does not redirect yet; otherwise null */
            waits_for: string | null;
            /** @description The destination that has failed two checks, at least a day apart; null if there is none, if they are not checked, or if the link is not active. It changes nothing for visitors */
            unhealthy: components["schemas"]["Unhealthy"] | null;
            /**
             * Format: date-time
             * @description When the link was last changed (ISO 8601, UTC)
             */
            updated_at: string;
        };
        ManagedLinkWithClicks: {
            /** @description The id of the link, the "model id" of info */
            id: string;
            /**
             * Format: uri
             * @description The URL that visitors follow
             */
            short_url: string;
            /** @description The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows */
            url: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The secondary id; generated if none was sent */
            sec_id: string;
            /** @description The campaign of the link; null if it has none */
            campaign_name: string | null;
            /** @description The custom domain of the link; null on the service's own host */
            custom_domain: string | null;
            /** @description The JSON text that was sent, byte for byte */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the link was created (ISO 8601, UTC)
             */
            created_at: string;
            /** @description The slug in `short_url` */
            slug: string;
            /** @description Other slugs on the same host that lead to the link */
            aliases: string[];
            /** @description The title of the link; null if it has none */
            title: string | null;
            /** @description The comments on the link; null if it has none */
            comments: string | null;
            /** @description The id of the link in your own system; null if it has none */
            external_id: string | null;
            /** @description The names of the tags of the link, in the order of the alphabet */
            tags: string[];
            /**
             * Format: date-time
             * @description When the link begins to redirect; null if it does from its creation on
             */
            starts_at: string | null;
            /**
             * Format: date-time
             * @description When the link expires; null for never
             */
            expires_at: string | null;
            /** @description How many visits by people are redirected; null for no limit */
            max_clicks: number | null;
            /** @description Where visitors are redirected after the expiry or the last click; null for status 410 */
            expired_url: string | null;
            /** @description The rules that lead some visitors elsewhere; null if the link has none */
            rules: components["schemas"]["Rule"][] | null;
            /** @description The destinations among which visitors are divided; null if the link has none */
            variants: components["schemas"]["Variant"][] | null;
            /** @description Where visitors without the app of a destination continue; null to redirect all to the app */
            fallback: string | null;
            /** @description The status of the redirect; null for 302 */
            redirect_status: number | null;
            /** @description How the query of a visit is passed on to the destination; null if it is not */
            forward_query: string | null;
            /** @description Whether the rest of the path of a visit is appended to the destination; null for no */
            forward_path: boolean | null;
            /** @description The title, the description and the image of link previews; null for those of the destination */
            preview: components["schemas"]["Preview"] | null;
            /** @description Whether the page at the short URL with a final `+` shows where the link leads; null for yes */
            inspectable: boolean | null;
            /** @description Whether visitors get a page with the host of the destination and a button first; null for no */
            ask_first: boolean | null;
            /** @description The language of the pages for visitors; null for the one that each of them prefers */
            language: string | null;
            /** @description Whether the destinations of the link are checked; null for what its workspace says */
            check_destination: boolean | null;
            /** @description The clicks before the import, which are not in the statistics; null if none were imported */
            imported_clicks: number | null;
            /** @description Whether the link has a password */
            has_password: boolean;
            /** @description Whether the link is disabled */
            disabled: boolean;
            /**
             * @description deleted, else disabled, else expired, else active
             * @enum {string}
             */
            state: "active" | "expired" | "disabled" | "deleted";
            /** @description The custom domain while it is pending, so that the link does not redirect yet; otherwise null */
            waits_for: string | null;
            /** @description The destination that has failed two checks, at least a day apart; null if there is none, if they are not checked, or if the link is not active. It changes nothing for visitors */
            unhealthy: components["schemas"]["Unhealthy"] | null;
            /**
             * Format: date-time
             * @description When the link was last changed (ISO 8601, UTC)
             */
            updated_at: string;
            /** @description How many more visits by people are redirected; null without a click limit, or if it does not respond */
            clicks_left: number | null;
            /** @description The clicks of the link */
            clicks: components["schemas"]["LinkClicks"];
        };
        Me: {
            /**
             * @description The kind of the credential
             * @enum {string}
             */
            kind: "api_key" | "access_token" | "api_token";
            /** @description The user of a token; null for an API key */
            user: components["schemas"]["MyUser"] | null;
            /** @description The API key; null for a token */
            key: components["schemas"]["MyKey"] | null;
            /** @description The clients that the credential has access to, sorted by id */
            clients: components["schemas"]["MyClient"][];
            /** @description The limits of this credential */
            limits: components["schemas"]["MyLimits"];
        };
        Member: {
            /** @description The id of the user */
            local_id: string;
            /** @description The name of the user */
            name: string;
            /**
             * @description Owners also manage members, domains and all keys
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description When the user joined the client (ISO 8601, UTC)
             */
            joined_at: string;
            /**
             * Format: date-time
             * @description When the account was disabled; null if it is not (ISO 8601, UTC)
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When the membership was suspended, since an identity provider had not confirmed the user; null if it is not (ISO 8601, UTC)
             */
            suspended_at: string | null;
        };
        MemberChange: {
            /**
             * @description Owners also manage members, domains and all keys
             * @enum {string}
             */
            role: "owner" | "member";
        };
        MemberList: {
            /** @description The members, those who joined last first */
            members: components["schemas"]["Member"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        MyClient: {
            /** @description Client id of the service customer */
            client_id: string;
            /**
             * @description The role of the user; for an API key, of the user who created it
             * @enum {string}
             */
            role: "owner" | "member";
            /** @description The permissions of the credential for this client; later versions add some */
            scopes: ("links:read" | "links:write" | "stats:read" | "keys" | "domains:read" | "domains:write" | "members" | "webhooks" | "audit")[];
        };
        MyKey: {
            /** @description The id of the key, the part of it between `tk_` and the secret */
            id: string;
            /** @description The name of the key */
            name: string;
            /**
             * Format: date-time
             * @description When the key expires; null for never (ISO 8601, UTC)
             */
            expires_at: string | null;
        };
        MyLimits: {
            /** @description How many links the credential can create per minute; null if there is no limit */
            creates_per_minute: number | null;
            /** @description How many links an IP address can create per minute, with all credentials together; null if there is no limit */
            creates_per_minute_and_address: number | null;
            /** @description How many links one batch can contain */
            links_per_batch: number;
        };
        MyUser: {
            /** @description The identifier of the user, the `sub` of their tokens */
            local_id: string;
            /** @description The name that the user signs in with */
            name: string;
        };
        NewDomain: {
            /**
             * @description The host name of the domain
             * @example go.example.com
             */
            host: string;
            /**
             * @description Where GET / redirects to; null for a 404 page
             * @example https://example.com/page
             */
            root_url?: string | null;
            /**
             * @description Where unknown slugs redirect to; null for a 404 page
             * @example https://example.com/page
             */
            not_found_url?: string | null;
            /** @description Whether two slugs may differ in case only. It can be changed until the domain has its first link. */
            case_sensitive?: boolean;
            /** @description Whether a path that has no link is followed without what text programs add to it, such as a full stop. True by default. */
            tolerant?: boolean;
            /** @description How many characters the slugs of links without a chosen one have. 8 by default. */
            slug_length?: number;
        };
        NewInvite: {
            /**
             * @description Owners also manage members, domains and all keys
             * @default member
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * @description An e-mail address to which the link is mailed too
             * @example ann@example.com
             */
            email?: string;
        };
        NewKey: {
            /**
             * @description The name of the key in lists; without spaces at the start or end
             * @example build server
             */
            name: string;
            /** @description The permissions of the key */
            scopes: ("links:read" | "links:write" | "stats:read")[];
            /**
             * Format: date-time
             * @description When the key expires; if left out, it does not expire
             */
            expires_at?: string | null;
        };
        NewLink: {
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
            /**
             * @description Client id of the service customer; neither `.` nor `..`
             * @example acme
             */
            client_id: string;
            /**
             * @description Campaign name, without control characters
             * @example Spring 2026
             */
            campaign_name?: string;
            /**
             * @description Custom domain for the short link
             * @example go.example.com
             */
            custom_domain?: string;
            /**
             * @description Metadata given as a JSON text, of at most 4096 bytes
             * @example {"team":"web"}
             */
            metadata?: string;
            /**
             * @description Secondary link id; neither `.` nor `..`
             * @example print-2026
             */
            sec_id?: string;
            /**
             * @description The path of the short link: 1 to 64 letters, digits, `-` and `_` of any script; on a custom domain also dots, emoji and up to 4 segments with `/` between. Generated if left out.
             * @example spring-sale
             */
            slug?: string;
            /**
             * @description A title to find the link by, without control characters; visitors do not see it
             * @example Spring sale
             */
            title?: string;
            /**
             * @description Comments for the people who manage the link; visitors do not see them. Line ends are kept as line feeds.
             * @example For the poster at the station.
             */
            comments?: string;
            /**
             * @description The id of the link in your own system: 1 to 128 visible ASCII characters, which no other link has
             * @example product-4712
             */
            external_id?: string;
            /**
             * @description The names of up to 20 tags, case-insensitive: a tag that does not exist is created, and an empty list clears the field; as names with commas between, or as JSON text
             * @example Summer, Print
             */
            tags?: string;
            /**
             * Format: date-time
             * @description When the link begins to redirect
             * @example 2027-01-01T00:00:00Z
             */
            starts_at?: string;
            /**
             * Format: date-time
             * @description When the link expires
             * @example 2099-12-31T00:00:00Z
             */
            expires_at?: string;
            /**
             * @description A password that visitors enter before they are redirected. It is stored as a hash, and never shown again.
             * @example open sesame
             */
            password?: string;
            /**
             * @description How many visits by people are redirected; after that, visitors get 410
             * @example 500
             */
            max_clicks?: string;
            /**
             * @description Where visitors are redirected once the link has expired
             * @example https://example.com/over
             */
            expired_url?: string;
            /**
             * @description Up to 20 rules, in order: a visitor is redirected to the URL of the first one whose conditions all hold. Their conditions name at most 8 different time zones. A rule without a name gets one, as JSON text
             * @example [{"name":"Phones","if":[{"type":"device","in":["mobile"]}],"url":"https://example.com/app"}]
             */
            rules?: string;
            /**
             * @description 2 to 8 variants, which divide the visitors that no rule has decided on by weight: the same visitor always gets the same one. A variant without a name gets one, as JSON text
             * @example [{"name":"A","url":"https://example.com/old-page","weight":50},{"name":"B","url":"https://example.com/new-page","weight":50}]
             */
            variants?: string;
            /**
             * @description Where visitors continue who do not have the app, if a destination of the link opens one, as `myapp://open` does. People get a page that opens the app and, on phones, continues there after 1.5 seconds; programs are redirected there.
             * @example https://example.com/app
             */
            fallback?: string;
            /**
             * @description The status of the redirect
             * @example 301
             */
            redirect_status?: string;
            /**
             * @description Passes the query of the visit on to the destination: with `keep`, parameters that the destination has stay; with `override`, those of the visit replace them
             * @example keep
             * @enum {string}
             */
            forward_query?: "keep" | "override";
            /**
             * @description Whether the rest of the path of a visit is appended to the destination; for links on a custom domain, below whose slug there is no other link
             * @example true
             * @enum {string}
             */
            forward_path?: "true" | "false";
            /** @description What programs show that draw a preview of the link, such as messengers, as JSON text */
            preview?: string;
            /**
             * @description Whether the short URL with a final `+` shows where the link leads; true if left out
             * @example false
             * @enum {string}
             */
            inspectable?: "true" | "false";
            /**
             * @description Whether visitors get a page with the host of the destination and a button before they are redirected. Only the button counts as a click, and takes one of `max_clicks`, so that programs which open links of mails take none.
             * @example true
             * @enum {string}
             */
            ask_first?: "true" | "false";
            /**
             * @description The language of the pages for visitors, such as that with the form of a password; without it, the one that each visitor prefers (`Accept-Language`), else English
             * @example de
             * @enum {string}
             */
            language?: "ar" | "de" | "en" | "es" | "fr" | "ja" | "pt" | "zh-Hans";
            /**
             * @description Whether the destinations of the link are checked at least every 7 days, so that it can be `unhealthy`; as its workspace says if left out
             * @example true
             * @enum {string}
             */
            check_destination?: "true" | "false";
            /**
             * @description Whether an active link of the client with the same destination and fields is answered with, instead of a new one; a generated slug and a generated sec_id count as absent
             * @example true
             * @enum {string}
             */
            reuse?: "true" | "false";
        };
        NewLinkItem: {
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
            /**
             * @description Client id of the service customer; can be left out if the credential has only one client
             * @example acme
             */
            client_id?: string | null;
            /**
             * @description Campaign name, without control characters
             * @example Spring 2026
             */
            campaign_name?: string | null;
            /**
             * @description Custom domain for the short link
             * @example go.example.com
             */
            custom_domain?: string | null;
            /**
             * @description Metadata: a JSON text, kept byte for byte, or an object, an array, a number or a boolean, kept as its text; of at most 4096 bytes
             * @example {
             *       "team": "web"
             *     }
             */
            metadata?: unknown;
            /**
             * @description Secondary link id; neither `.` nor `..`
             * @example print-2026
             */
            sec_id?: string | null;
            /**
             * @description The path of the short link: 1 to 64 letters, digits, `-` and `_` of any script; on a custom domain also dots, emoji and up to 4 segments with `/` between. Generated if left out.
             * @example spring-sale
             */
            slug?: string | null;
            /**
             * @description A title to find the link by, without control characters; visitors do not see it
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description Comments for the people who manage the link; visitors do not see them. Line ends are kept as line feeds.
             * @example For the poster at the station.
             */
            comments?: string | null;
            /**
             * @description The id of the link in your own system: 1 to 128 visible ASCII characters, which no other link has
             * @example product-4712
             */
            external_id?: string | null;
            /**
             * @description The names of up to 20 tags, case-insensitive: a tag that does not exist is created, and an empty list clears the field
             * @example [
             *       "Summer",
             *       "Print"
             *     ]
             */
            tags?: string[] | null;
            /**
             * Format: date-time
             * @description When the link begins to redirect
             * @example 2027-01-01T00:00:00Z
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description When the link expires
             * @example 2099-12-31T00:00:00Z
             */
            expires_at?: string | null;
            /**
             * @description A password that visitors enter before they are redirected. It is stored as a hash, and never shown again.
             * @example open sesame
             */
            password?: string | null;
            /**
             * @description How many visits by people are redirected; after that, visitors get 410
             * @example 500
             */
            max_clicks?: number | null;
            /**
             * @description Where visitors are redirected once the link has expired
             * @example https://example.com/over
             */
            expired_url?: string | null;
            /**
             * @description Up to 20 rules, in order: a visitor is redirected to the URL of the first one whose conditions all hold. Their conditions name at most 8 different time zones. A rule without a name gets one
             * @example [
             *       {
             *         "name": "Phones",
             *         "if": [
             *           {
             *             "type": "device",
             *             "in": [
             *               "mobile"
             *             ]
             *           }
             *         ],
             *         "url": "https://example.com/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["NewRule"][] | null;
            /**
             * @description 2 to 8 variants, which divide the visitors that no rule has decided on by weight: the same visitor always gets the same one. A variant without a name gets one
             * @example [
             *       {
             *         "name": "A",
             *         "url": "https://example.com/old-page",
             *         "weight": 50
             *       },
             *       {
             *         "name": "B",
             *         "url": "https://example.com/new-page",
             *         "weight": 50
             *       }
             *     ]
             */
            variants?: components["schemas"]["NewVariant"][] | null;
            /**
             * @description Where visitors continue who do not have the app, if a destination of the link opens one, as `myapp://open` does. People get a page that opens the app and, on phones, continues there after 1.5 seconds; programs are redirected there.
             * @example https://example.com/app
             */
            fallback?: string | null;
            /** @description The status of the redirect */
            redirect_status?: (302 | 301 | 307 | 308) | null;
            /** @description Passes the query of the visit on to the destination: with `keep`, parameters that the destination has stay; with `override`, those of the visit replace them */
            forward_query?: ("keep" | "override") | null;
            /**
             * @description Whether the rest of the path of a visit is appended to the destination; for links on a custom domain, below whose slug there is no other link
             * @example true
             */
            forward_path?: boolean | null;
            /** @description What programs show that draw a preview of the link, such as messengers */
            preview?: components["schemas"]["NewPreview"] | null;
            /**
             * @description Whether the short URL with a final `+` shows where the link leads; true if left out
             * @example false
             */
            inspectable?: boolean | null;
            /**
             * @description Whether visitors get a page with the host of the destination and a button before they are redirected. Only the button counts as a click, and takes one of `max_clicks`, so that programs which open links of mails take none.
             * @example true
             */
            ask_first?: boolean | null;
            /** @description The language of the pages for visitors, such as that with the form of a password; without it, the one that each visitor prefers (`Accept-Language`), else English */
            language?: ("ar" | "de" | "en" | "es" | "fr" | "ja" | "pt" | "zh-Hans") | null;
            /**
             * @description Whether the destinations of the link are checked at least every 7 days, so that it can be `unhealthy`; as its workspace says if left out
             * @example true
             */
            check_destination?: boolean | null;
        };
        NewLinkJson: {
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
            /**
             * @description Client id of the service customer; can be left out if the credential has only one client
             * @example acme
             */
            client_id?: string | null;
            /**
             * @description Campaign name, without control characters
             * @example Spring 2026
             */
            campaign_name?: string | null;
            /**
             * @description Custom domain for the short link
             * @example go.example.com
             */
            custom_domain?: string | null;
            /**
             * @description Metadata: a JSON text, kept byte for byte, or an object, an array, a number or a boolean, kept as its text; of at most 4096 bytes
             * @example {
             *       "team": "web"
             *     }
             */
            metadata?: unknown;
            /**
             * @description Secondary link id; neither `.` nor `..`
             * @example print-2026
             */
            sec_id?: string | null;
            /**
             * @description The path of the short link: 1 to 64 letters, digits, `-` and `_` of any script; on a custom domain also dots, emoji and up to 4 segments with `/` between. Generated if left out.
             * @example spring-sale
             */
            slug?: string | null;
            /**
             * @description A title to find the link by, without control characters; visitors do not see it
             * @example Spring sale
             */
            title?: string | null;
            /**
             * @description Comments for the people who manage the link; visitors do not see them. Line ends are kept as line feeds.
             * @example For the poster at the station.
             */
            comments?: string | null;
            /**
             * @description The id of the link in your own system: 1 to 128 visible ASCII characters, which no other link has
             * @example product-4712
             */
            external_id?: string | null;
            /**
             * @description The names of up to 20 tags, case-insensitive: a tag that does not exist is created, and an empty list clears the field
             * @example [
             *       "Summer",
             *       "Print"
             *     ]
             */
            tags?: string[] | null;
            /**
             * Format: date-time
             * @description When the link begins to redirect
             * @example 2027-01-01T00:00:00Z
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description When the link expires
             * @example 2099-12-31T00:00:00Z
             */
            expires_at?: string | null;
            /**
             * @description A password that visitors enter before they are redirected. It is stored as a hash, and never shown again.
             * @example open sesame
             */
            password?: string | null;
            /**
             * @description How many visits by people are redirected; after that, visitors get 410
             * @example 500
             */
            max_clicks?: number | null;
            /**
             * @description Where visitors are redirected once the link has expired
             * @example https://example.com/over
             */
            expired_url?: string | null;
            /**
             * @description Up to 20 rules, in order: a visitor is redirected to the URL of the first one whose conditions all hold. Their conditions name at most 8 different time zones. A rule without a name gets one
             * @example [
             *       {
             *         "name": "Phones",
             *         "if": [
             *           {
             *             "type": "device",
             *             "in": [
             *               "mobile"
             *             ]
             *           }
             *         ],
             *         "url": "https://example.com/app"
             *       }
             *     ]
             */
            rules?: components["schemas"]["NewRule"][] | null;
            /**
             * @description 2 to 8 variants, which divide the visitors that no rule has decided on by weight: the same visitor always gets the same one. A variant without a name gets one
             * @example [
             *       {
             *         "name": "A",
             *         "url": "https://example.com/old-page",
             *         "weight": 50
             *       },
             *       {
             *         "name": "B",
             *         "url": "https://example.com/new-page",
             *         "weight": 50
             *       }
             *     ]
             */
            variants?: components["schemas"]["NewVariant"][] | null;
            /**
             * @description Where visitors continue who do not have the app, if a destination of the link opens one, as `myapp://open` does. People get a page that opens the app and, on phones, continues there after 1.5 seconds; programs are redirected there.
             * @example https://example.com/app
             */
            fallback?: string | null;
            /** @description The status of the redirect */
            redirect_status?: (302 | 301 | 307 | 308) | null;
            /** @description Passes the query of the visit on to the destination: with `keep`, parameters that the destination has stay; with `override`, those of the visit replace them */
            forward_query?: ("keep" | "override") | null;
            /**
             * @description Whether the rest of the path of a visit is appended to the destination; for links on a custom domain, below whose slug there is no other link
             * @example true
             */
            forward_path?: boolean | null;
            /** @description What programs show that draw a preview of the link, such as messengers */
            preview?: components["schemas"]["NewPreview"] | null;
            /**
             * @description Whether the short URL with a final `+` shows where the link leads; true if left out
             * @example false
             */
            inspectable?: boolean | null;
            /**
             * @description Whether visitors get a page with the host of the destination and a button before they are redirected. Only the button counts as a click, and takes one of `max_clicks`, so that programs which open links of mails take none.
             * @example true
             */
            ask_first?: boolean | null;
            /** @description The language of the pages for visitors, such as that with the form of a password; without it, the one that each visitor prefers (`Accept-Language`), else English */
            language?: ("ar" | "de" | "en" | "es" | "fr" | "ja" | "pt" | "zh-Hans") | null;
            /**
             * @description Whether the destinations of the link are checked at least every 7 days, so that it can be `unhealthy`; as its workspace says if left out
             * @example true
             */
            check_destination?: boolean | null;
            /**
             * @description Whether an active link of the client with the same destination and fields is answered with, instead of a new one; a generated slug and a generated sec_id count as absent
             * @example true
             */
            reuse?: boolean | null;
        };
        NewLinks: {
            /** @description The links to create */
            links: components["schemas"]["NewLinkItem"][];
        };
        NewPreview: {
            /**
             * @description The title
             * @example Spring sale
             */
            title?: string;
            /**
             * @description The description
             * @example All of it must go.
             */
            description?: string;
            /**
             * @description The URL of an image; it is only named, never fetched
             * @example https://example.com/a.png
             */
            image?: string;
        };
        NewRule: {
            /** @description A name, unique among the rules and variants of the link, regardless of case */
            name?: string;
            /** @description The conditions, all of which must hold */
            if: (components["schemas"]["CountryCondition"] | components["schemas"]["RegionCondition"] | components["schemas"]["ContinentCondition"] | components["schemas"]["LanguageCondition"] | components["schemas"]["DeviceCondition"] | components["schemas"]["OsCondition"] | components["schemas"]["BrowserCondition"] | components["schemas"]["VisitorCondition"] | components["schemas"]["ReferrerCondition"] | components["schemas"]["AddressCondition"] | components["schemas"]["QueryCondition"] | components["schemas"]["DateCondition"] | components["schemas"]["HoursCondition"])[];
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
        };
        NewTag: {
            /**
             * @description The name; no other tag has it, regardless of case
             * @example Autumn
             */
            name: string;
            /**
             * @description The colour; one that depends on the name if left out
             * @example orange
             * @enum {string}
             */
            colour?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple";
        };
        NewVariant: {
            /** @description A name, unique among the rules and variants of the link, regardless of case */
            name?: string;
            /**
             * @description URL to be encoded: http or https, or a scheme that the operator has named; https:// where it is left out
             * @example https://example.com/page
             */
            url: string;
            /** @description The share of visitors is this weight divided by the sum of all weights */
            weight: number;
        };
        NewWebhook: {
            /**
             * @description Where events are sent: an https URL of the public internet, without user name and fragment
             * @example https://hooks.example.com/terse
             */
            url: string;
            /** @description The types of events that are sent */
            events: ("link.created" | "link.updated" | "link.deleted" | "link.clicked" | "link.limit_reached" | "link.expired" | "link.unhealthy" | "link.recovered" | "links.imported" | "domain.verified" | "domain.lost" | "key.created" | "key.revoked")[];
            /**
             * @description A note for people
             * @example Sales dashboard
             */
            description?: string;
            /**
             * @description The name or the id of a tag: of the events about links, only those about links that have it
             * @example Summer
             */
            tag?: string | null;
            /**
             * @description A campaign, case-insensitive: of the events about links, only those about links that have it
             * @example Spring 2026
             */
            campaign_name?: string | null;
        };
        OsCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "os";
            /** @description Names of operating systems, as click statistics have them, case-insensitive */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        Preview: {
            /** @description The title */
            title?: string;
            /** @description The description */
            description?: string;
            /** @description The URL of an image */
            image?: string;
        };
        PreviewVisit: {
            /**
             * @description The country of the visitor (ISO 3166-1 alpha-2), case-insensitive
             * @example DE
             */
            country?: string;
            /**
             * @description The region of the visitor (ISO 3166-2), case-insensitive; its country is that of the visitor
             * @example US-TX
             */
            region?: string;
            /**
             * @description The IP address of the visitor, which rules compare and by which variants are chosen
             * @example 192.0.2.1
             */
            address?: string;
            /**
             * @description The header `Accept-Language`
             * @example de-AT, en;q=0.7
             */
            language?: string;
            /** @description The header `User-Agent`; without it, a visitor is a program */
            user_agent?: string;
            /**
             * @description The URL of the page that the visitor comes from
             * @example https://news.example.com/today
             */
            referrer?: string;
            /**
             * @description The query of the short URL, with or without its `?`
             * @example ?ref=poster
             */
            query?: string;
            /** @description What follows the slug in the short URL, with or without its first slash */
            path?: string;
            /**
             * Format: date-time
             * @description The time of the visit; now if left out
             */
            at?: string;
        };
        PublicKey: {
            /**
             * @description The type of the key (RFC 8037)
             * @constant
             */
            kty: "OKP";
            /**
             * @description The curve of the key
             * @constant
             */
            crv: "Ed25519";
            /** @description The public key itself, as base64url */
            x: string;
            /** @description RFC 7638 thumbprint */
            kid: string;
            /** @description The algorithm that the key is for */
            alg: string;
            /**
             * @description The key verifies signatures
             * @constant
             */
            use: "sig";
        };
        PublicKeys: {
            /** @description The keys: the first one signs new tokens, and all verify */
            keys: components["schemas"]["PublicKey"][];
        };
        QueryCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "query";
            /** @description The name of a parameter in the query of the visitor's URL */
            name: string;
            /** @description Values of the parameter, one of which it has; left out if it may have any value */
            in?: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        Redelivered: {
            /** @description How many deliveries begin anew */
            redelivered: number;
            /** @description Whether these were all */
            complete: boolean;
        };
        Redelivery: {
            /**
             * Format: date-time
             * @description Only deliveries that were created at this instant or later
             */
            since: string;
        };
        ReferrerCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "referrer";
            /** @description Hosts of the pages that visitors come from; each stands for all hosts below it too */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        RefusedRow: {
            /** @description The number of the row, counted from 1 as in a spreadsheet or an editor: the header of a CSV is row 1, and empty rows count; in JSON the place in the list */
            row: number;
            /**
             * @description The row has an error, and no link was created (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "error";
            /** @description `<code>: <sentence>` */
            error: string;
            /** @description The invalid fields, each with its sentence; absent if the error is not about a field */
            errors?: components["schemas"]["FieldFault"][];
        };
        RegionCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "region";
            /** @description Codes of the first-level regions of countries (ISO 3166-2) such as US-TX, case-insensitive */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        RenamedCampaign: {
            /** @description The new name */
            name: string;
            /** @description How many links were changed */
            changed_links: number;
            /** @description Whether the new name was in use, so that clicks that came before stay under the former one */
            merged: boolean;
        };
        ResolvedCondition: {
            /**
             * @description The type of the condition
             * @enum {string}
             */
            type: "country" | "region" | "continent" | "language" | "device" | "os" | "browser" | "visitor" | "referrer" | "address" | "query" | "date" | "hours";
            /** @description Whether it holds for the visitor, `not` included */
            holds: boolean;
            /** @description The condition in words */
            text: string;
        };
        ResolvedDestination: {
            /**
             * @description What has chosen it; `default` is the `url` of the link
             * @enum {string}
             */
            by: "rule" | "variant" | "default";
            /** @description The name of the rule or variant, or `default` */
            name: string;
            /** @description The destination, without what is forwarded */
            url: string;
        };
        ResolvedRule: {
            /** @description The name of the rule */
            name: string;
            /** @description Whether all of its conditions hold */
            holds: boolean;
            /** @description All of its conditions, in their order */
            conditions: components["schemas"]["ResolvedCondition"][];
        };
        ResolvedVisit: {
            /** @description The status that the visitor gets */
            status: number;
            /** @description Where the response redirects; null if it does not */
            location: string | null;
            /**
             * @description Why: `redirect` if the link leads to its destination; `domain` if its domain is not verified; `path` if it does not forward this path; `password` and `preview` for those pages; `limit` for programs at a link with `max_clicks`; `blocked` if the operator has blocked the host; else the state of the link
             * @enum {string}
             */
            reason: "domain" | "path" | "deleted" | "disabled" | "not_started" | "expired" | "password" | "preview" | "limit" | "blocked" | "ask_first" | "fallback" | "redirect";
            /** @description Whether a visit takes one of the `max_clicks`. If all are taken, it gets the response of an expired link instead */
            takes_click: boolean;
            /** @description The destination that the rules and variants choose, even if something else comes first */
            destination: components["schemas"]["ResolvedDestination"];
            /** @description All rules in their order; the first that holds decides */
            rules: components["schemas"]["ResolvedRule"][];
            /** @description What the conditions see of the visitor */
            visitor: components["schemas"]["ResolvedVisitor"];
        };
        ResolvedVisitor: {
            /**
             * @description A person, a program, or one for link previews
             * @enum {string}
             */
            kind: "human" | "bot" | "preview";
            /** @description The code of the country; null if it is not known */
            country: string | null;
            /** @description The code of the region (ISO 3166-2); null if it is not known */
            region: string | null;
            /** @description The code of the continent; null if it is not known */
            continent: string | null;
            /** @description The language of the first choice; null if it is not known */
            language: string | null;
            /** @description The kind of device; null if it is not known */
            device: string | null;
            /** @description The operating system; null if it is not known */
            os: string | null;
            /** @description The browser; null if it is not known */
            browser: string | null;
            /** @description The host of the referrer; null if it is not known */
            referrer: string | null;
        };
        Rule: {
            /** @description The name of the rule */
            name: string;
            /** @description The conditions, all of which must hold */
            if: components["schemas"]["Condition"][];
            /** @description Where it leads */
            url: string;
        };
        SkippedRow: {
            /** @description The number of the row, counted from 1 as in a spreadsheet or an editor: the header of a CSV is row 1, and empty rows count; in JSON the place in the list */
            row: number;
            /** @description Why no link is created */
            reason: string;
        };
        Stats: {
            /** @description The dimension that clicks are broken down by */
            by: string;
            /** @description The IANA time zone of days, hours and weekdays */
            tz: string;
            /**
             * Format: date
             * @description The first day
             */
            from: string;
            /**
             * Format: date
             * @description The last day, itself included
             */
            to: string;
            /**
             * Format: date
             * @description The first day that is counted, if the days before can no longer be filtered or broken down like this; null if all days are counted
             */
            filtered_from: string | null;
            /** @description All clicks */
            total: number;
            /** @description Clicks of people */
            humans: number;
            /** @description Clicks of programs */
            bots: number;
            /** @description Requests for link previews, for example by messengers */
            previews: number;
            /** @description People a day, summed; null for campaigns, tags and several links, with a filter, and for days that are not known */
            visitors: components["schemas"]["Visitors"] | null;
            /** @description Every day, hour or weekday of the range, in order; else the values, the most clicked first */
            rows: components["schemas"]["StatsRow"][];
            /** @description The range that `compare` names; null without it */
            compare: components["schemas"]["ComparedStats"] | null;
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        StatsRow: {
            /** @description A day, an hour or a value; null if it is not known */
            key: string | null;
            /** @description All clicks */
            total: number;
            /** @description Clicks of people */
            humans: number;
            /** @description Clicks of programs */
            bots: number;
            /** @description Requests for link previews, for example by messengers */
            previews: number;
        };
        StreamedClick: {
            /**
             * Format: date-time
             * @description When it happened, or the last of several
             */
            at: string;
            /** @description The id of the link */
            link_id: string;
            /** @description The short link; null if the link is deleted, or not known */
            short_url: string | null;
            /** @description ISO 3166-1 alpha-2; null if not known */
            country: string | null;
            /** @description The host of the page that the visitor came from; null if not known */
            referrer: string | null;
            /** @description The kind of device; null if not known */
            device: string | null;
            /** @description The operating system; null if not known */
            os: string | null;
            /** @description The browser; null if not known */
            browser: string | null;
            /** @description `qr`, `link`, or the source that the visit names; null if not known */
            via: string | null;
            /** @description The medium that the visit names; null if not known */
            utm_medium: string | null;
            /** @description The campaign that the visit names; null if not known */
            utm_campaign: string | null;
            /**
             * @description Whether a person, a program or a link preview followed the link
             * @enum {string}
             */
            kind: "human" | "bot" | "preview";
            /** @description How many clicks they are: those that are alike can come as one event */
            clicks: number;
        };
        StreamedEnd: {
            /** @description `time`: it was open for 15 minutes; `interrupted`: connect again; else the code of the error that the next request would get */
            reason: string;
            /** @description The same as a sentence */
            detail: string;
        };
        StreamedMore: {
            /** @description How many clicks were left out */
            count: number;
        };
        Tag: {
            /** @description The id of the tag */
            id: string;
            /** @description The name, as it was first written */
            name: string;
            /** @description The colour: gray, red, orange, yellow, green, teal, blue, purple */
            colour: string;
            /** @description How many links have the tag, without deleted ones; 1000 stands for 1000 or more */
            links: number;
            /**
             * Format: date-time
             * @description When the tag was created (ISO 8601, UTC)
             */
            created_at: string;
        };
        TagChange: {
            /**
             * @description The name; no other tag has it, regardless of case
             * @example Autumn
             */
            name?: string;
            /**
             * @description The colour
             * @example orange
             * @enum {string}
             */
            colour?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple";
        };
        TagList: {
            /** @description The tags, in the order of the alphabet */
            tags: components["schemas"]["Tag"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        TestEvent: {
            /** @description The id of the event */
            event_id: string;
        };
        TokenClaims: {
            /** @description When it expires, in seconds since the epoch */
            exp: string;
            /** @description When it was issued, in seconds since the epoch */
            iat: string;
            /** @description The `local_id` of its user */
            sub: string;
        };
        TokenCreationFailure: {
            /**
             * @description Always `NONE`
             * @constant
             */
            access_token: "NONE";
            /**
             * @description Always `Check your credentials`
             * @constant
             */
            detail: "Check your credentials";
            /**
             * @description Always `Authentication Failed`
             * @constant
             */
            result: "Authentication Failed";
        };
        TokenInfo: {
            /**
             * @description Always `Token Obtained`
             * @constant
             */
            result: "Token Obtained";
            /** @description The claims of the token */
            token: components["schemas"]["TokenClaims"];
        };
        TokenInfoFailure: {
            /** @description What is wrong, and what to send */
            access_denied: string;
            /**
             * @description The status of the response
             * @constant
             */
            http_ressponse: 401;
        };
        TokenRefresh: {
            /** @description The refresh token of the last token response */
            refresh_token: string;
        };
        TokenResponse: {
            /** @description A JWT, for `Authorization: Bearer` */
            access_token: string;
            /** @description A JWT, for `X-API-Key` */
            api_token: string;
            /** @description A sentence with the lifetime of both tokens */
            detail: string;
            /**
             * Format: uuid
             * @description The id of the user
             */
            local_id: string;
            /** @description An opaque token for one refresh */
            refresh_token: string;
            /**
             * @description Always `Token Created`
             * @constant
             */
            result: "Token Created";
        };
        TokenRevocation: {
            /** @description A refresh token, an access token or an api_token */
            token?: string;
            /** @description Another name for `token`, which goes before it */
            refresh_token?: string;
        };
        TokenRevoked: {
            /**
             * @description Always `Token Revoked`
             * @constant
             */
            result: "Token Revoked";
        };
        Unhealthy: {
            /** @description The destination */
            url: string;
            /**
             * @description Why its last failed check has failed: the status of the response, or what there was instead of one
             * @enum {string}
             */
            reason: "status" | "no_such_name" | "tls" | "connection";
            /** @description The status; null without a response */
            status: number | null;
            /**
             * Format: date-time
             * @description When the first of its failed checks was (ISO 8601, UTC)
             */
            since: string;
        };
        Variant: {
            /** @description The name of the variant */
            name: string;
            /** @description Where it leads */
            url: string;
            /** @description Its part of the sum of all weights is its part of the visitors */
            weight: number;
        };
        VerifiedDomain: {
            /** @description The id of the domain */
            id: string;
            /** @description The client that it belongs to */
            client_id: string;
            /** @description The host name of the domain, in lower case and punycode */
            host: string;
            /**
             * @description pending: not verified yet; active: links can be created on it; lost: verification failed, and only existing links work
             * @enum {string}
             */
            status: "pending" | "active" | "lost";
            /** @description Where the root of the domain redirects to; null for a 404 page */
            root_url: string | null;
            /** @description Where an unknown slug redirects to; null for a 404 page */
            not_found_url: string | null;
            /** @description Whether two slugs can differ only in case */
            case_sensitive: boolean;
            /** @description Whether a path that has no link is followed without what text programs add to it */
            tolerant: boolean;
            /** @description How many characters the slugs of links without a chosen one have */
            slug_length: number;
            /** @description The DNS records to set */
            dns: components["schemas"]["DomainDns"];
            /**
             * Format: date-time
             * @description When the domain was added (ISO 8601, UTC)
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the domain was first verified; null before (ISO 8601, UTC)
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When the domain was last checked; null before (ISO 8601, UTC)
             */
            checked_at: string | null;
            /** @description How many daily checks in a row failed */
            failures: number;
            /** @description The next step, as a sentence; null if there is none */
            next: string | null;
            /** @description The results of this check */
            checks: components["schemas"]["DomainChecks"];
            /** @description How many links of an import that waited for the domain were disabled, since they lead to a host of this service or to a blocked one */
            disabled_links: number;
        };
        VisitorCondition: {
            /**
             * @description The type of the condition (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "visitor";
            /** @description Kinds of visitors: human, bot, preview */
            in: string[];
            /**
             * @description true if the condition holds for all other visitors
             * @constant
             */
            not?: true;
        };
        Visitors: {
            /** @description People a UTC day and link, summed: a person who comes back on another day, or follows another link, counts again. People who ask not to be tracked are left out */
            total: number;
            /**
             * Format: date
             * @description The first UTC day that is counted
             */
            from: string;
            /**
             * Format: date
             * @description The last UTC day that is counted
             */
            to: string;
        };
        WaitedForDomain: {
            /** @description The host name of the domain */
            host: string;
            /** @description Whether this import adds the domain, or would in a dry run */
            is_new: boolean;
            /** @description Null if a dry run would add it, and for keys and api_tokens, which cannot see domains */
            domain: components["schemas"]["Domain"] | null;
        };
        Webhook: {
            /** @description The id of the webhook */
            id: string;
            /** @description Where events are sent */
            url: string;
            /** @description A note for people */
            description: string;
            /** @description The types of events that are sent: link.created, link.updated, link.deleted, link.clicked, link.limit_reached, link.expired, link.unhealthy, link.recovered, links.imported, domain.verified, domain.lost, key.created, key.revoked */
            events: string[];
            /** @description Limits events about links to those with this tag; null for all */
            tag: string | null;
            /** @description Limits events about links to those of this campaign, whose case does not matter; null for all */
            campaign_name: string | null;
            /** @description Whether no events are sent */
            disabled: boolean;
            /**
             * Format: date-time
             * @description When it was disabled; null if it is not (ISO 8601, UTC)
             */
            disabled_at: string | null;
            /** @description Why it is disabled: `owner` (an owner did so), `gone` (it answered 410), `failures` (no delivery succeeded for five days); null if it is not */
            disabled_by: string | null;
            /**
             * Format: date-time
             * @description When the first delivery failed since the last that succeeded; null if none has (ISO 8601, UTC)
             */
            failing_since: string | null;
            /** @description Why nothing can be sent to its URL: `refused_port` (the port is one of a database, a cache or another protocol than HTTP); null if nothing is known. The reason of each attempt is in the log of deliveries */
            failing_reason: string | null;
            /**
             * Format: date-time
             * @description Until when deliveries are signed by the secret from before the last roll too; null if by one alone (ISO 8601, UTC)
             */
            former_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description When the webhook was created (ISO 8601, UTC)
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed (ISO 8601, UTC)
             */
            updated_at: string;
        };
        WebhookChange: {
            /**
             * @description Where events are sent: an https URL of the public internet, without user name and fragment
             * @example https://hooks.example.com/terse
             */
            url?: string;
            /** @description The types of events that are sent */
            events?: ("link.created" | "link.updated" | "link.deleted" | "link.clicked" | "link.limit_reached" | "link.expired" | "link.unhealthy" | "link.recovered" | "links.imported" | "domain.verified" | "domain.lost" | "key.created" | "key.revoked")[];
            /**
             * @description A note for people
             * @example Sales dashboard
             */
            description?: string;
            /**
             * @description The name or the id of a tag: of the events about links, only those about links that have it
             * @example Summer
             */
            tag?: string | null;
            /**
             * @description A campaign, case-insensitive: of the events about links, only those about links that have it
             * @example Spring 2026
             */
            campaign_name?: string | null;
            /** @description Whether events are not sent; what happens meanwhile is not sent later either */
            disabled?: boolean;
        };
        WebhookList: {
            /** @description The webhooks, newest first */
            webhooks: components["schemas"]["Webhook"][];
            /** @description The cursor of the next page; null on the last one */
            cursor: string | null;
        };
        WebhookWithSecret: {
            /** @description The id of the webhook */
            id: string;
            /** @description Where events are sent */
            url: string;
            /** @description A note for people */
            description: string;
            /** @description The types of events that are sent: link.created, link.updated, link.deleted, link.clicked, link.limit_reached, link.expired, link.unhealthy, link.recovered, links.imported, domain.verified, domain.lost, key.created, key.revoked */
            events: string[];
            /** @description Limits events about links to those with this tag; null for all */
            tag: string | null;
            /** @description Limits events about links to those of this campaign, whose case does not matter; null for all */
            campaign_name: string | null;
            /** @description Whether no events are sent */
            disabled: boolean;
            /**
             * Format: date-time
             * @description When it was disabled; null if it is not (ISO 8601, UTC)
             */
            disabled_at: string | null;
            /** @description Why it is disabled: `owner` (an owner did so), `gone` (it answered 410), `failures` (no delivery succeeded for five days); null if it is not */
            disabled_by: string | null;
            /**
             * Format: date-time
             * @description When the first delivery failed since the last that succeeded; null if none has (ISO 8601, UTC)
             */
            failing_since: string | null;
            /** @description Why nothing can be sent to its URL: `refused_port` (the port is one of a database, a cache or another protocol than HTTP); null if nothing is known. The reason of each attempt is in the log of deliveries */
            failing_reason: string | null;
            /**
             * Format: date-time
             * @description Until when deliveries are signed by the secret from before the last roll too; null if by one alone (ISO 8601, UTC)
             */
            former_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description When the webhook was created (ISO 8601, UTC)
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed (ISO 8601, UTC)
             */
            updated_at: string;
            /** @description The secret that signs deliveries, shown only once: `whsec_` and base64 */
            secret: string;
        };
    };
    responses: {
        /** @description Too many requests; wait as many seconds as `Retry-After` says. Codes: `too_many_requests`. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description An internal error; it has been logged. Codes: `internal_error`. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is too large. Codes: `body_too_large`. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Bodies of this type are not accepted here. Codes: `unsupported_media_type`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
        StoreUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The credential is missing or not valid. Codes: `missing_credential`, `invalid_credential`. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `idempotency_key_reused`. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The credential is valid, but does not have this permission. Codes: `insufficient_scope`. */
        InsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description It does not exist. Codes: `not_found`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description It has been changed since it was read. Codes: `precondition_failed`. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `edit_conflict`. */
        EditConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `tag_taken`. */
        TagTaken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `tag_in_use`. */
        TagInUse: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description It has expired, or has been disabled or deleted. Codes: `gone`. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `domain_in_use`. */
        DomainInUse: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `too_many_keys`. */
        TooManyKeys: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `key_ended`. */
        KeyEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `too_many_webhooks`. */
        TooManyWebhooks: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `webhook_disabled`. */
        WebhookDisabled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request conflicts with what exists already. Codes: `last_owner`. */
        LastOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this request in the logs; a UUID that you send is used */
        "X-Request-Id": string;
        /** @description The credentials that the endpoint accepts (RFC 9110, section 11.6.1) */
        "WWW-Authenticate": string;
        /** @description How many seconds to wait before you try again */
        "Retry-After": number;
        /** @description The version of this content, for If-Match or If-None-Match */
        ETag: string;
        /** @description How long the response can be cached */
        "Cache-Control": string;
        /** @description The name of the file */
        "Content-Disposition": string;
        /** @description The first day that is counted; absent if all days are counted. As `filtered_from` in JSON */
        "Filtered-From": string;
        /** @description The same of the days that are compared */
        "Compare-Filtered-From": string;
        /** @description The destination of the link, or the path of a created link */
        Location: string;
        /** @description noindex: not for search engines */
        "X-Robots-Tag": string;
        /** @description Accept: browsers get a page */
        Vary: string;
        /** @description Since when the endpoint is deprecated (RFC 9745) */
        Deprecation: string;
        /** @description When the endpoint is removed, or stops accepting new tokens (RFC 8594); absent if no date is set */
        Sunset: string;
        /** @description The endpoint that replaces this one, and the changelog, which announces its removal (RFC 8288) */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIzZjZjMWYwZSJ9.c2lnbmF0dXJl",
                     *       "api_token": "eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIzZjZjMWYwZSJ9.c2lnbmF0dXJl",
                     *       "detail": "The access token and the API token work for 3600 seconds.",
                     *       "local_id": "3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90",
                     *       "refresh_token": "V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs",
                     *       "result": "Token Created"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The credential is missing or not valid. Its body has no code. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "NONE",
                     *       "detail": "Check your credentials",
                     *       "result": "Authentication Failed"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCreationFailure"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `busy`, `store_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getTokenInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of the token */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "Token Obtained",
                     *       "token": {
                     *         "exp": "1795258800",
                     *         "iat": "1795255200",
                     *         "sub": "3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenInfo"];
                };
            };
            /** @description The credential is missing or not valid. Its body has no code. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_denied": "Send an access token as \"Authorization: Bearer <ACCESS_TOKEN>\".",
                     *       "http_ressponse": 401
                     *     }
                     */
                    "application/json": components["schemas"]["TokenInfoFailure"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["TokenRefresh"];
                /**
                 * @example {
                 *       "refresh_token": "V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRefresh"];
            };
        };
        responses: {
            /** @description New tokens */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIzZjZjMWYwZSJ9.c2lnbmF0dXJl",
                     *       "api_token": "eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIzZjZjMWYwZSJ9.c2lnbmF0dXJl",
                     *       "detail": "The access token and the API token work for 3600 seconds.",
                     *       "local_id": "3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90",
                     *       "refresh_token": "V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs",
                     *       "result": "Token Created"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `file_field`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The credential is missing or not valid. Its body has no code. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "NONE",
                     *       "detail": "Check your credentials",
                     *       "result": "Authentication Failed"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCreationFailure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["TokenRevocation"];
                /**
                 * @example {
                 *       "token": "V1StGXR8_Z5jdHi6B-myT9qLw3KcNf7PoaEuYx2RbDs"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRevocation"];
            };
        };
        responses: {
            /** @description The token is revoked */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "Token Revoked"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenRevoked"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `file_field`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getPublicKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK set (RFC 7517) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                     *           "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
                     *           "alg": "Ed25519",
                     *           "use": "sig"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicKeys"];
                };
            };
            /** @description The keys are unchanged */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `invalid_host`. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description Links of this campaign
                 * @example Spring 2026
                 */
                campaign_name?: string;
                /** @description Links of this secondary id */
                sec_id?: string;
                /** @description The link with this external id */
                external_id?: string;
                /** @description Links with this tag (case-insensitive). Can be repeated: links that have all of them */
                tag?: string[];
                /** @description Links on this custom domain */
                custom_domain?: string;
                /** @description The link that this slug leads to, in exactly this case; on any of your hosts if custom_domain is left out */
                slug?: string;
                /** @description Links to this destination, given as a whole URL; other spellings of the same URL are found too */
                url?: string;
                /** @description Links in this state; all except deleted ones if left out */
                state?: "active" | "expired" | "disabled" | "deleted";
                /** @description true: active links with an `unhealthy` destination; false: links without one */
                unhealthy?: "true" | "false";
                /** @description A part of url, slug, title, comments, external_id, campaign_name, tags, regardless of case */
                q?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
                /** @description The newest links first, or those with most clicks, with most clicks by people, or with the last click */
                sort?: "created" | "clicks" | "humans" | "last_click";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "id": "kQ7WRn9d",
                     *           "short_url": "https://terse.example/spring-sale",
                     *           "url": "https://example.com/sale",
                     *           "client_id": "acme",
                     *           "sec_id": "print-2026",
                     *           "campaign_name": "Spring 2026",
                     *           "custom_domain": null,
                     *           "metadata": "{\"team\":\"web\"}",
                     *           "created_at": "2026-11-20T09:00:00.000Z",
                     *           "slug": "spring-sale",
                     *           "aliases": [
                     *             "kQ7WRn9d"
                     *           ],
                     *           "title": null,
                     *           "comments": null,
                     *           "external_id": "product-4711",
                     *           "tags": [
                     *             "Summer"
                     *           ],
                     *           "starts_at": null,
                     *           "expires_at": "2027-06-30T22:00:00.000Z",
                     *           "max_clicks": null,
                     *           "expired_url": null,
                     *           "rules": null,
                     *           "variants": null,
                     *           "fallback": null,
                     *           "redirect_status": null,
                     *           "forward_query": null,
                     *           "forward_path": null,
                     *           "preview": null,
                     *           "inspectable": null,
                     *           "ask_first": null,
                     *           "language": null,
                     *           "check_destination": null,
                     *           "imported_clicks": null,
                     *           "has_password": false,
                     *           "disabled": false,
                     *           "state": "active",
                     *           "waits_for": null,
                     *           "unhealthy": null,
                     *           "updated_at": "2026-11-20T15:30:00.000Z",
                     *           "clicks_left": null,
                     *           "clicks": 4,
                     *           "humans": 3,
                     *           "last_click_at": "2026-11-20T18:42:00.000Z"
                     *         }
                     *       ],
                     *       "cursor": null,
                     *       "scanned_to": null
                     *     }
                     */
                    "application/json": components["schemas"]["ClickedLinkList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_url`, `invalid_client_id`, `invalid_custom_domain`, `invalid_tag`, `invalid_sort`, `invalid_cursor`, `invalid_limit`, `invalid_state`, `invalid_unhealthy`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this request, so that it can be repeated safely: within 24 hours the same content gets the first response again, and other content is refused
                 * @example order-1138
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/page",
                 *       "client_id": "acme",
                 *       "campaign_name": "Spring 2026",
                 *       "metadata": "{\"team\":\"web\"}",
                 *       "sec_id": "print-2026"
                 *     }
                 */
                "application/json": components["schemas"]["NewLinkJson"];
                /**
                 * @example {
                 *       "url": "https://example.com/page",
                 *       "client_id": "acme",
                 *       "campaign_name": "Spring 2026",
                 *       "metadata": "{\"team\":\"web\"}",
                 *       "sec_id": "print-2026"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["NewLink"];
                /**
                 * @example {
                 *       "url": "https://example.com/page",
                 *       "client_id": "acme",
                 *       "campaign_name": "Spring 2026",
                 *       "metadata": "{\"team\":\"web\"}",
                 *       "sec_id": "print-2026"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["NewLink"];
            };
        };
        responses: {
            /** @description The link was created, or an equal one exists. With `Accept: application/vnd.terse.link+json`, an equal one exists */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "{\"id\":\"bR6wGt9K\",\"short_url\":\"https://terse.example/bR6wGt9K\",\"url\":\"https://example.com/page\",\"client_id\":\"acme\",\"sec_id\":\"print-2026\",\"campaign_name\":\"Spring 2026\",\"custom_domain\":null,\"metadata\":\"{\\\"team\\\":\\\"web\\\"}\",\"created_at\":\"2026-11-21T10:00:00.000Z\"}"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkResult"];
                    /**
                     * @example {
                     *       "id": "bR6wGt9K",
                     *       "short_url": "https://terse.example/bR6wGt9K",
                     *       "url": "https://example.com/page",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": "{\"team\":\"web\"}",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "slug": "bR6wGt9K",
                     *       "aliases": [],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": null,
                     *       "tags": [],
                     *       "starts_at": null,
                     *       "expires_at": null,
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "reused": true
                     *     }
                     */
                    "application/vnd.terse.link+json": components["schemas"]["CreatedLink"];
                };
            };
            /** @description The link was created; the response to `Accept: application/vnd.terse.link+json` */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bR6wGt9K",
                     *       "short_url": "https://terse.example/bR6wGt9K",
                     *       "url": "https://example.com/page",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": "{\"team\":\"web\"}",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "slug": "bR6wGt9K",
                     *       "aliases": [],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": null,
                     *       "tags": [],
                     *       "starts_at": null,
                     *       "expires_at": null,
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/vnd.terse.link+json": components["schemas"]["CreatedLink"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `file_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_sec_id`, `invalid_reuse`, `not_reusable`, `invalid_campaign_name`, `invalid_custom_domain`, `invalid_metadata`, `invalid_title`, `invalid_comments`, `invalid_external_id`, `invalid_tags`, `invalid_language`, `invalid_slug`, `invalid_expires_at`, `invalid_starts_at`, `invalid_max_clicks`, `invalid_expired_url`, `invalid_redirect_status`, `invalid_forward_query`, `invalid_forward_path`, `invalid_inspectable`, `invalid_preview`, `invalid_rules`, `invalid_variants`, `invalid_idempotency_key`, `invalid_password`, `invalid_ask_first`, `invalid_check_destination`, `invalid_fallback`, `unknown_domain`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The request conflicts with what exists already. Codes: `slug_taken`, `slug_of_deleted_link`, `path_taken`, `external_id_taken`, `too_many_tags`, `idempotency_key_reused`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createLinks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this request, so that it can be repeated safely: within 24 hours the same content gets the first response again, and other content is refused
                 * @example order-1138
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "links": [
                 *         {
                 *           "url": "https://example.com/page",
                 *           "client_id": "acme",
                 *           "campaign_name": "Spring 2026",
                 *           "metadata": "{\"team\":\"web\"}",
                 *           "sec_id": "print-2026"
                 *         },
                 *         {
                 *           "url": "ftp://example.com/page",
                 *           "client_id": "acme"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewLinks"];
            };
        };
        responses: {
            /** @description The result of each link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "outcome": "created",
                     *           "status": 201,
                     *           "link": {
                     *             "id": "bR6wGt9K",
                     *             "short_url": "https://terse.example/bR6wGt9K",
                     *             "url": "https://example.com/page",
                     *             "client_id": "acme",
                     *             "sec_id": "print-2026",
                     *             "campaign_name": "Spring 2026",
                     *             "custom_domain": null,
                     *             "metadata": "{\"team\":\"web\"}",
                     *             "created_at": "2026-11-21T10:00:00.000Z",
                     *             "slug": "bR6wGt9K",
                     *             "aliases": [],
                     *             "title": null,
                     *             "comments": null,
                     *             "external_id": null,
                     *             "tags": [],
                     *             "starts_at": null,
                     *             "expires_at": null,
                     *             "max_clicks": null,
                     *             "expired_url": null,
                     *             "rules": null,
                     *             "variants": null,
                     *             "fallback": null,
                     *             "redirect_status": null,
                     *             "forward_query": null,
                     *             "forward_path": null,
                     *             "preview": null,
                     *             "inspectable": null,
                     *             "ask_first": null,
                     *             "language": null,
                     *             "check_destination": null,
                     *             "imported_clicks": null,
                     *             "has_password": false,
                     *             "disabled": false,
                     *             "state": "active",
                     *             "waits_for": null,
                     *             "unhealthy": null,
                     *             "updated_at": "2026-11-21T10:00:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "outcome": "error",
                     *           "status": 400,
                     *           "error": "invalid_url: url cannot have the scheme ftp: use https, or one of geo, mailto, sms, tel.",
                     *           "errors": [
                     *             {
                     *               "field": "url",
                     *               "detail": "url cannot have the scheme ftp: use https, or one of geo, mailto, sms, tel."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `unknown_field`, `invalid_links`, `invalid_idempotency_key`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            409: components["responses"]["IdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    encodeUrl: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this request, so that it can be repeated safely: within 24 hours the same content gets the first response again, and other content is refused
                 * @example order-1138
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/page",
                 *       "client_id": "acme",
                 *       "campaign_name": "Spring 2026",
                 *       "metadata": "{\"team\":\"web\"}",
                 *       "sec_id": "print-2026"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["EncodeForm"];
                /**
                 * @example {
                 *       "url": "https://example.com/page",
                 *       "client_id": "acme",
                 *       "campaign_name": "Spring 2026",
                 *       "metadata": "{\"team\":\"web\"}",
                 *       "sec_id": "print-2026"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["EncodeForm"];
            };
        };
        responses: {
            /** @description The link was created */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "{\"id\":\"bR6wGt9K\",\"short_url\":\"https://terse.example/bR6wGt9K\",\"url\":\"https://example.com/page\",\"client_id\":\"acme\",\"sec_id\":\"print-2026\",\"campaign_name\":\"Spring 2026\",\"custom_domain\":null,\"metadata\":\"{\\\"team\\\":\\\"web\\\"}\",\"created_at\":\"2026-11-21T10:00:00.000Z\"}"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkResult"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `file_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_sec_id`, `invalid_campaign_name`, `invalid_custom_domain`, `invalid_metadata`, `invalid_idempotency_key`, `unknown_domain`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The credential is missing or not valid. Codes: `missing_credential`, `invalid_credential`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `encode_retired`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The request conflicts with what exists already. Codes: `idempotency_key_reused`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. Codes: `body_too_large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Bodies of this type are not accepted here. Codes: `unsupported_media_type`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; wait as many seconds as `Retry-After` says. Codes: `too_many_requests`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    lookUpDestination: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/spring"
                 *     }
                 */
                "application/json": components["schemas"]["Lookup"];
            };
        };
        responses: {
            /** @description What the page says of itself */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 200,
                     *       "title": "Spring sale",
                     *       "description": "All of it must go.",
                     *       "image": "https://shop.example.com/a.png"
                     *     }
                     */
                    "application/json": components["schemas"]["FoundPage"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `unknown_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `destination_unreachable`, `destination_too_slow`, `destination_closed`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`, `resolver_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getLinkInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
                /**
                 * @description Client id of the service customer; neither `.` nor `..`
                 * @example acme
                 */
                client_id: string;
                /**
                 * @description Secondary id; neither `.` nor `..`
                 * @example print-2026
                 */
                sec_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record and its clicks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "{\"id\":\"kQ7WRn9d\",\"short_url\":\"https://terse.example/spring-sale\",\"url\":\"https://example.com/sale\",\"client_id\":\"acme\",\"sec_id\":\"print-2026\",\"campaign_name\":\"Spring 2026\",\"custom_domain\":null,\"metadata\":\"{\\\"team\\\":\\\"web\\\"}\",\"created_at\":\"2026-11-20T09:00:00.000Z\",\"clicks\":{\"total\":4,\"humans\":3,\"bots\":1,\"previews\":0,\"visitors_today\":0,\"last_at\":\"2026-11-20T18:42:00.000Z\",\"by_day\":[{\"day\":\"2026-10-23\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-24\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-25\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-26\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-27\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-28\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-29\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-30\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-10-31\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-01\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-02\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-03\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-04\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-05\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-06\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-07\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-08\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-09\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-10\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-11\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-12\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-13\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-14\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-15\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-16\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-17\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-18\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-19\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0},{\"day\":\"2026-11-20\",\"total\":4,\"humans\":3,\"bots\":1,\"previews\":0},{\"day\":\"2026-11-21\",\"total\":0,\"humans\":0,\"bots\":0,\"previews\":0}]}}"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkInfoResult"];
                };
            };
            /** @description Something in the request is wrong. Codes: `not_found`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getLink: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /** @description The ETag of the link as you last read it: if the link is unchanged, the response is 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "kQ7WRn9d",
                     *       "short_url": "https://terse.example/spring-sale",
                     *       "url": "https://example.com/sale",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": "{\"team\":\"web\"}",
                     *       "created_at": "2026-11-20T09:00:00.000Z",
                     *       "slug": "spring-sale",
                     *       "aliases": [
                     *         "kQ7WRn9d"
                     *       ],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": "product-4711",
                     *       "tags": [
                     *         "Summer"
                     *       ],
                     *       "starts_at": null,
                     *       "expires_at": "2027-06-30T22:00:00.000Z",
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-20T15:30:00.000Z",
                     *       "clicks_left": null,
                     *       "clicks": {
                     *         "total": 4,
                     *         "humans": 3,
                     *         "bots": 1,
                     *         "previews": 0,
                     *         "visitors_today": 0,
                     *         "last_at": "2026-11-20T18:42:00.000Z",
                     *         "by_day": [
                     *           {
                     *             "day": "2026-10-23",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-24",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-25",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-26",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-27",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-28",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-29",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-30",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-31",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-01",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-02",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-03",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-04",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-05",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-06",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-07",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-08",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-09",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-10",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-11",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-12",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-13",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-14",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-15",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-16",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-17",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-18",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-19",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-20",
                     *             "total": 4,
                     *             "humans": 3,
                     *             "bots": 1,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-21",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedLinkWithClicks"];
                };
            };
            /** @description The link is unchanged */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteLink: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /** @description The ETag of the link as you last read it, with its quotes. If the link has been changed since, the response is 412. `*` matches any */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_if_match`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["EditConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    editLink: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /**
                 * @description The ETag of the link as you last read it, with its quotes. If the link has been changed since, the response is 412. `*` matches any
                 * @example "2"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/summer",
                 *       "expires_at": null
                 *     }
                 */
                "application/json": components["schemas"]["LinkChange"];
            };
        };
        responses: {
            /** @description The link as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "kQ7WRn9d",
                     *       "short_url": "https://terse.example/spring-sale",
                     *       "url": "https://example.com/summer",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": "{\"team\":\"web\"}",
                     *       "created_at": "2026-11-20T09:00:00.000Z",
                     *       "slug": "spring-sale",
                     *       "aliases": [
                     *         "kQ7WRn9d"
                     *       ],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": "product-4711",
                     *       "tags": [
                     *         "Summer"
                     *       ],
                     *       "starts_at": null,
                     *       "expires_at": null,
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedLink"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `repeated_field`, `unknown_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_sec_id`, `invalid_campaign_name`, `invalid_metadata`, `invalid_title`, `invalid_comments`, `invalid_external_id`, `invalid_tags`, `invalid_language`, `invalid_slug`, `invalid_expires_at`, `invalid_starts_at`, `invalid_max_clicks`, `invalid_expired_url`, `invalid_redirect_status`, `invalid_forward_query`, `invalid_forward_path`, `invalid_inspectable`, `invalid_preview`, `invalid_disabled`, `invalid_aliases`, `invalid_rules`, `invalid_variants`, `invalid_if_match`, `invalid_password`, `invalid_ask_first`, `invalid_check_destination`, `invalid_fallback`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with what exists already. Codes: `slug_taken`, `slug_of_deleted_link`, `path_taken`, `external_id_taken`, `too_many_aliases`, `too_many_tags`, `link_deleted`, `edit_conflict`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    restoreLink: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /** @description The ETag of the link as you last read it, with its quotes. If the link has been changed since, the response is 412. `*` matches any */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the link
                 * @example mH8JpT6w
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "mH8JpT6w",
                     *       "short_url": "https://terse.example/mH8JpT6w",
                     *       "url": "https://example.com/winter",
                     *       "client_id": "acme",
                     *       "sec_id": "web",
                     *       "campaign_name": null,
                     *       "custom_domain": null,
                     *       "metadata": null,
                     *       "created_at": "2026-11-19T09:00:00.000Z",
                     *       "slug": "mH8JpT6w",
                     *       "aliases": [],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": null,
                     *       "tags": [],
                     *       "starts_at": null,
                     *       "expires_at": null,
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedLink"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_if_match`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with what exists already. Codes: `domain_removed`, `edit_conflict`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getLinkByExternalId: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /** @description The ETag of the link as you last read it: if the link is unchanged, the response is 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The external id of the link
                 * @example product-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "kQ7WRn9d",
                     *       "short_url": "https://terse.example/spring-sale",
                     *       "url": "https://example.com/sale",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": "{\"team\":\"web\"}",
                     *       "created_at": "2026-11-20T09:00:00.000Z",
                     *       "slug": "spring-sale",
                     *       "aliases": [
                     *         "kQ7WRn9d"
                     *       ],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": "product-4711",
                     *       "tags": [
                     *         "Summer"
                     *       ],
                     *       "starts_at": null,
                     *       "expires_at": "2027-06-30T22:00:00.000Z",
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-20T15:30:00.000Z",
                     *       "clicks_left": null,
                     *       "clicks": {
                     *         "total": 4,
                     *         "humans": 3,
                     *         "bots": 1,
                     *         "previews": 0,
                     *         "visitors_today": 0,
                     *         "last_at": "2026-11-20T18:42:00.000Z",
                     *         "by_day": [
                     *           {
                     *             "day": "2026-10-23",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-24",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-25",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-26",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-27",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-28",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-29",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-30",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-10-31",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-01",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-02",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-03",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-04",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-05",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-06",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-07",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-08",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-09",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-10",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-11",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-12",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-13",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-14",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-15",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-16",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-17",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-18",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-19",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-20",
                     *             "total": 4,
                     *             "humans": 3,
                     *             "bots": 1,
                     *             "previews": 0
                     *           },
                     *           {
                     *             "day": "2026-11-21",
                     *             "total": 0,
                     *             "humans": 0,
                     *             "bots": 0,
                     *             "previews": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedLinkWithClicks"];
                };
            };
            /** @description The link is unchanged */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    putLinkByExternalId: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /** @description The ETag of the link as you last read it, with its quotes. If the link has been changed since, the response is 412. `*` matches any */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The external id of the link
                 * @example product-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/sale",
                 *       "campaign_name": "Spring 2026"
                 *     }
                 */
                "application/json": components["schemas"]["NewLinkItem"];
            };
        };
        responses: {
            /** @description The link had the external id, and is changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "kQ7WRn9d",
                     *       "short_url": "https://terse.example/spring-sale",
                     *       "url": "https://example.com/sale",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": null,
                     *       "created_at": "2026-11-20T09:00:00.000Z",
                     *       "slug": "spring-sale",
                     *       "aliases": [
                     *         "kQ7WRn9d"
                     *       ],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": "product-4711",
                     *       "tags": [],
                     *       "starts_at": null,
                     *       "expires_at": null,
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedLink"];
                };
            };
            /** @description The link was created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedLink"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_sec_id`, `invalid_campaign_name`, `invalid_custom_domain`, `invalid_metadata`, `invalid_title`, `invalid_comments`, `invalid_external_id`, `invalid_tags`, `invalid_language`, `invalid_slug`, `invalid_expires_at`, `invalid_starts_at`, `invalid_max_clicks`, `invalid_expired_url`, `invalid_redirect_status`, `invalid_forward_query`, `invalid_forward_path`, `invalid_inspectable`, `invalid_preview`, `invalid_rules`, `invalid_variants`, `invalid_idempotency_key`, `invalid_if_match`, `invalid_password`, `invalid_ask_first`, `invalid_check_destination`, `invalid_fallback`, `unknown_domain`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The request conflicts with what exists already. Codes: `slug_taken`, `slug_of_deleted_link`, `path_taken`, `external_id_taken`, `too_many_aliases`, `too_many_tags`, `link_deleted`, `domain_removed`, `edit_conflict`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    resolveVisit: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example dF3vXs8n
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "country": "AT",
                 *       "language": "de-AT, en;q=0.7",
                 *       "address": "192.0.2.1",
                 *       "query": "?ref=poster"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewVisit"];
            };
        };
        responses: {
            /** @description What the visitor gets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 302,
                     *       "location": "https://example.com/de",
                     *       "reason": "redirect",
                     *       "takes_click": false,
                     *       "destination": {
                     *         "by": "rule",
                     *         "name": "German",
                     *         "url": "https://example.com/de"
                     *       },
                     *       "rules": [
                     *         {
                     *           "name": "German",
                     *           "holds": true,
                     *           "conditions": [
                     *             {
                     *               "type": "language",
                     *               "holds": true,
                     *               "text": "the language is German"
                     *             },
                     *             {
                     *               "type": "country",
                     *               "holds": true,
                     *               "text": "the country is not Switzerland"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "visitor": {
                     *         "kind": "bot",
                     *         "country": "AT",
                     *         "region": null,
                     *         "continent": "EU",
                     *         "language": "de-at",
                     *         "device": null,
                     *         "os": null,
                     *         "browser": null,
                     *         "referrer": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ResolvedVisit"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_country`, `invalid_region`, `invalid_referrer`, `invalid_language`, `invalid_address`, `invalid_user_agent`, `invalid_query`, `invalid_path`, `invalid_at`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listLinkHistory: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "history": [
                     *         {
                     *           "n": 2,
                     *           "at": "2026-11-20T15:30:00.000Z",
                     *           "action": "edited",
                     *           "by": {
                     *             "user": "ann",
                     *             "key_id": null
                     *           },
                     *           "url": "https://example.com/sale",
                     *           "changes": {
                     *             "slug": {
                     *               "from": "kQ7WRn9d",
                     *               "to": "spring-sale"
                     *             },
                     *             "url": {
                     *               "from": "https://example.com/page",
                     *               "to": "https://example.com/sale"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "n": 1,
                     *           "at": "2026-11-20T09:00:00.000Z",
                     *           "action": "created",
                     *           "by": {
                     *             "user": "ann",
                     *             "key_id": null
                     *           },
                     *           "url": "https://example.com/page",
                     *           "changes": {}
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["LinkHistory"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    restoreLinkTarget: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: {
                /** @description The ETag of the link as you last read it, with its quotes. If the link has been changed since, the response is 412. `*` matches any */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
                /**
                 * @description The number of the entry in the history
                 * @example 1
                 */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "kQ7WRn9d",
                     *       "short_url": "https://terse.example/spring-sale",
                     *       "url": "https://example.com/page",
                     *       "client_id": "acme",
                     *       "sec_id": "print-2026",
                     *       "campaign_name": "Spring 2026",
                     *       "custom_domain": null,
                     *       "metadata": "{\"team\":\"web\"}",
                     *       "created_at": "2026-11-20T09:00:00.000Z",
                     *       "slug": "spring-sale",
                     *       "aliases": [
                     *         "kQ7WRn9d"
                     *       ],
                     *       "title": null,
                     *       "comments": null,
                     *       "external_id": "product-4711",
                     *       "tags": [
                     *         "Summer"
                     *       ],
                     *       "starts_at": null,
                     *       "expires_at": "2027-06-30T22:00:00.000Z",
                     *       "max_clicks": null,
                     *       "expired_url": null,
                     *       "rules": null,
                     *       "variants": null,
                     *       "fallback": null,
                     *       "redirect_status": null,
                     *       "forward_query": null,
                     *       "forward_path": null,
                     *       "preview": null,
                     *       "inspectable": null,
                     *       "ask_first": null,
                     *       "language": null,
                     *       "check_destination": null,
                     *       "imported_clicks": null,
                     *       "has_password": false,
                     *       "disabled": false,
                     *       "state": "active",
                     *       "waits_for": null,
                     *       "unhealthy": null,
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedLink"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_if_match`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with what exists already. Codes: `link_deleted`, `edit_conflict`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tags */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tags": [
                     *         {
                     *           "id": "0cc175b9c0f1b6a8",
                     *           "name": "Summer",
                     *           "colour": "orange",
                     *           "links": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TagList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createTag: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Autumn",
                 *       "colour": "red"
                 *     }
                 */
                "application/json": components["schemas"]["NewTag"];
            };
        };
        responses: {
            /** @description The tag */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0cc175b9c0f1b6a8",
                     *       "name": "Autumn",
                     *       "colour": "red",
                     *       "links": 0,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_colour`, `invalid_idempotency_key`, `invalid_name`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The request conflicts with what exists already. Codes: `too_many_tags`, `tag_taken`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteTag: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the tag
                 * @example 0cc175b9c0f1b6a8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["TagInUse"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    changeTag: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the tag
                 * @example 0cc175b9c0f1b6a8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Summer 2027"
                 *     }
                 */
                "application/json": components["schemas"]["TagChange"];
            };
        };
        responses: {
            /** @description The tag */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0cc175b9c0f1b6a8",
                     *       "name": "Summer 2027",
                     *       "colour": "orange",
                     *       "links": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_colour`, `invalid_name`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["TagTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    exportLinks: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The format of the file
                 * @example csv
                 */
                format?: "csv" | "ndjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_format`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    importLinks: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /** @description true reports the result of each row and changes nothing */
                dry_run?: boolean;
                /** @description The service that has written the file; recognised by the columns if left out */
                from?: "terse" | "bitly" | "chhoto" | "dub" | "firebase" | "golink" | "kutt" | "pretty_links" | "rebrandly" | "shlink" | "short_io" | "sink" | "snapp" | "tiny_cc" | "tinyurl" | "yourls" | "url_list";
                /** @description The name of the column with the destination */
                map_url?: string;
                /** @description The name of the column with the slug */
                map_slug?: string;
                /** @description The name of the column with the short URL, or its host */
                map_short_url?: string;
                /** @description The name of the column with the title */
                map_title?: string;
                /** @description The name of the column with the tags */
                map_tags?: string;
                /** @description The name of the column with the creation date */
                map_created_at?: string;
                /** @description The name of the column with the expiry date */
                map_expires_at?: string;
                /** @description The name of the column with the clicks until now, which become imported_clicks */
                map_clicks?: string;
                /** @description Where links go instead of the host in the file: `shared` (the service's own host) or a custom domain, for all links; `bit.ly:shared` for those of one host; `:shared` for those whose host the file does not name. Can be repeated */
                host?: string[];
                /** @description What becomes of a link that had a password, was banned, or has a limit that cannot be read: `disable` creates it disabled, `publish` creates it open to all; `disable` if left out */
                unprotected?: "disable" | "publish";
                /** @description The order of day, month and year in dates such as 03/04/2030. If left out, each column is read in the only order that all of its dates admit; a column that admits several or none is an error */
                dates?: "dmy" | "mdy" | "ymd";
                /** @description The encoding of the file, such as `windows-1252` or `utf-16le`. If left out, it is that of the Content-Type, else UTF-8; a byte order mark counts more than both */
                charset?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example slug,url,sec_id
                 *     autumn,https://example.com/autumn,print
                 *     winter,/winter,print
                 */
                "text/csv": string;
                /**
                 * @example slug,url,sec_id
                 *     autumn,https://example.com/autumn,print
                 *     winter,/winter,print
                 */
                "application/csv": string;
                /**
                 * @example slug,url,sec_id
                 *     autumn,https://example.com/autumn,print
                 *     winter,/winter,print
                 */
                "application/vnd.ms-excel": string;
                /**
                 * @example slug,url,sec_id
                 *     autumn,https://example.com/autumn,print
                 *     winter,/winter,print
                 */
                "text/tab-separated-values": string;
                /**
                 * @example {"slug":"autumn","url":"https://example.com/autumn","sec_id":"print"}
                 *     {"slug":"winter","url":"/winter","sec_id":"print"}
                 */
                "application/x-ndjson": string;
                /**
                 * @example {"slug":"autumn","url":"https://example.com/autumn","sec_id":"print"}
                 *     {"slug":"winter","url":"/winter","sec_id":"print"}
                 */
                "application/ndjson": string;
                /** @example {"data":[{"slug":"autumn","url":"https://example.com/autumn","sec_id":"print"},{"slug":"winter","url":"/winter","sec_id":"print"}]} */
                "application/json": string;
                /**
                 * @example {
                 *       "file": "slug,url,sec_id\r\nautumn,https://example.com/autumn,print\r\nwinter,/winter,print\r\n"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            /** @description The result of each row */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": false,
                     *       "created": 1,
                     *       "unchanged": 0,
                     *       "errors": 1,
                     *       "format": {
                     *         "id": "terse",
                     *         "name": "Terse",
                     *         "by": "recognised"
                     *       },
                     *       "columns": [
                     *         {
                     *           "column": "slug",
                     *           "field": "slug"
                     *         },
                     *         {
                     *           "column": "url",
                     *           "field": "url"
                     *         },
                     *         {
                     *           "column": "sec_id",
                     *           "field": "sec_id"
                     *         }
                     *       ],
                     *       "notes": [],
                     *       "hosts": [],
                     *       "pending_domains": [],
                     *       "skipped": [],
                     *       "results": [
                     *         {
                     *           "row": 2,
                     *           "status": "created",
                     *           "link": {
                     *             "id": "Wc9pNt7J",
                     *             "short_url": "https://terse.example/autumn",
                     *             "url": "https://example.com/autumn",
                     *             "client_id": "acme",
                     *             "sec_id": "print",
                     *             "campaign_name": null,
                     *             "custom_domain": null,
                     *             "metadata": null,
                     *             "created_at": "2026-11-21T10:00:00.000Z",
                     *             "slug": "autumn",
                     *             "aliases": [],
                     *             "title": null,
                     *             "comments": null,
                     *             "external_id": null,
                     *             "tags": [],
                     *             "starts_at": null,
                     *             "expires_at": null,
                     *             "max_clicks": null,
                     *             "expired_url": null,
                     *             "rules": null,
                     *             "variants": null,
                     *             "fallback": null,
                     *             "redirect_status": null,
                     *             "forward_query": null,
                     *             "forward_path": null,
                     *             "preview": null,
                     *             "inspectable": null,
                     *             "ask_first": null,
                     *             "language": null,
                     *             "check_destination": null,
                     *             "imported_clicks": null,
                     *             "has_password": false,
                     *             "disabled": false,
                     *             "state": "active",
                     *             "waits_for": null,
                     *             "unhealthy": null,
                     *             "updated_at": "2026-11-21T10:00:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "row": 3,
                     *           "status": "error",
                     *           "error": "invalid_url: url must be an absolute http or https URL, such as https://example.com/page.",
                     *           "errors": [
                     *             {
                     *               "field": "url",
                     *               "detail": "url must be an absolute http or https URL, such as https://example.com/page."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportResults"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_from`, `invalid_unprotected`, `invalid_dates`, `invalid_charset`, `invalid_idempotency_key`, `invalid_host`, `invalid_dry_run`, `too_many_rows`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    drawQrSvg: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description Width and height in pixels; the height is more with a text; 512 if left out
                 * @example 256
                 */
                size?: number;
                /** @description Quiet zone on each side, in modules; 4 if left out */
                margin?: number;
                /** @description Error correction: how much may be damaged */
                level?: "L" | "M" | "Q" | "H";
                /** @description The colour of the code, with or without # (%23); 000000 if left out */
                colour?: string;
                /** @description The background colour, which must be lighter than the code, with or without # (%23), or transparent; ffffff if left out */
                background?: string;
                /** @description The shape of the modules; square if left out */
                dots?: "square" | "round";
                /** @description The shape of the three large squares; square if left out */
                corners?: "square" | "round";
                /** @description A line around the code, with these corners, within which the margin is at least 2; none if left out */
                frame?: "none" | "square" | "round";
                /** @description A text beneath the code, with which the picture is higher than it is wide. A PNG has the letters of western European languages alone. */
                text?: string;
                /** @description Whether the code has the parameter `via=qr`, by which click statistics know its visits; true if left out */
                marker?: "true" | "false";
                /** @description Whether the code has the logo that is kept for the domain of the link or else for all links, for which it needs the level H; false if left out */
                logo?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_colour`, `invalid_size`, `invalid_margin`, `invalid_level`, `invalid_background`, `invalid_marker`, `invalid_dots`, `invalid_corners`, `invalid_frame`, `invalid_text`, `invalid_logo`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    drawQrPng: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description Width and height in pixels; the height is more with a text; 512 if left out
                 * @example 256
                 */
                size?: number;
                /** @description Quiet zone on each side, in modules; 4 if left out */
                margin?: number;
                /** @description Error correction: how much may be damaged */
                level?: "L" | "M" | "Q" | "H";
                /** @description The colour of the code, with or without # (%23); 000000 if left out */
                colour?: string;
                /** @description The background colour, which must be lighter than the code, with or without # (%23), or transparent; ffffff if left out */
                background?: string;
                /** @description The shape of the modules; square if left out */
                dots?: "square" | "round";
                /** @description The shape of the three large squares; square if left out */
                corners?: "square" | "round";
                /** @description A line around the code, with these corners, within which the margin is at least 2; none if left out */
                frame?: "none" | "square" | "round";
                /** @description A text beneath the code, with which the picture is higher than it is wide. A PNG has the letters of western European languages alone. */
                text?: string;
                /** @description Whether the code has the parameter `via=qr`, by which click statistics know its visits; true if left out */
                marker?: "true" | "false";
                /** @description Whether the code has the logo that is kept for the domain of the link or else for all links, for which it needs the level H; false if left out */
                logo?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_colour`, `invalid_size`, `invalid_margin`, `invalid_level`, `invalid_background`, `invalid_marker`, `invalid_dots`, `invalid_corners`, `invalid_frame`, `invalid_text`, `invalid_logo`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "campaigns": [
                     *         {
                     *           "name": "Spring 2026",
                     *           "links": 1,
                     *           "newest_link_at": "2026-11-20T09:00:00.000Z",
                     *           "clicks": 4,
                     *           "humans": 3,
                     *           "last_click_at": "2026-11-20T18:42:00.000Z"
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    renameCampaign: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name of the campaign
                 * @example Spring 2026
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring 2027"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignChange"];
            };
        };
        responses: {
            /** @description The campaign has the new name */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Spring 2027",
                     *       "changed_links": 1,
                     *       "merged": false
                     *     }
                     */
                    "application/json": components["schemas"]["RenamedCampaign"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `too_many_links`, `invalid_name`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getLinkStats: {
        parameters: {
            query?: {
                /**
                 * @description First day; 29 days before `to` if left out
                 * @example 2026-11-20
                 */
                from?: string;
                /**
                 * @description Last day, itself included; today if left out
                 * @example 2026-11-21
                 */
                to?: string;
                /** @description The dimension to break clicks down by */
                by?: "day" | "hour" | "weekday" | "country" | "referrer" | "browser" | "os" | "device" | "language" | "link" | "campaign" | "destination" | "via" | "utm_medium" | "utm_campaign";
                /** @description The IANA time zone of days, hours and weekdays; UTC if left out. Other breakdowns always use UTC days */
                tz?: string;
                /** @description Also answers for as many days before `from` (`previous`), or from this day on */
                compare?: "previous" | string;
                /** @description The maximum number of rows; all if left out */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
                /** @description Only clicks from this country (ISO 3166-1 alpha-2). Can be repeated; null for what is not known */
                country?: string[];
                /** @description Only clicks from pages of this host, or of all hosts of the site with this name. Can be repeated; null for what is not known */
                referrer?: string[];
                /** @description Only clicks with this browser. Can be repeated; null for what is not known */
                browser?: string[];
                /** @description Only clicks with this operating system. Can be repeated; null for what is not known */
                os?: string[];
                /** @description Only clicks on this kind of device. Can be repeated; null for what is not known */
                device?: string[];
                /** @description Only clicks with this language (ISO 639). Can be repeated; null for what is not known */
                language?: string[];
                /** @description Only clicks that were led to this destination of their link. Can be repeated; null for what is not known */
                destination?: string[];
                /** @description Only clicks that counted for this campaign. Can be repeated; null for what is not known */
                campaign?: string[];
                /** @description Only clicks with this source. Can be repeated; null for what is not known */
                via?: string[];
                /** @description Only clicks with this `utm_medium`. Can be repeated; null for what is not known */
                utm_medium?: string[];
                /** @description Only clicks with this `utm_campaign`. Can be repeated; null for what is not known */
                utm_campaign?: string[];
                /** @description Only clicks of people, of programs or of previews. Can be repeated */
                visitor?: ("human" | "bot" | "preview")[];
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "by": "day",
                     *       "tz": "UTC",
                     *       "from": "2026-11-20",
                     *       "to": "2026-11-21",
                     *       "filtered_from": null,
                     *       "total": 4,
                     *       "humans": 3,
                     *       "bots": 1,
                     *       "previews": 0,
                     *       "visitors": {
                     *         "total": 0,
                     *         "from": "2026-11-21",
                     *         "to": "2026-11-21"
                     *       },
                     *       "rows": [
                     *         {
                     *           "key": "2026-11-20",
                     *           "total": 4,
                     *           "humans": 3,
                     *           "bots": 1,
                     *           "previews": 0
                     *         },
                     *         {
                     *           "key": "2026-11-21",
                     *           "total": 0,
                     *           "humans": 0,
                     *           "bots": 0,
                     *           "previews": 0
                     *         }
                     *       ],
                     *       "compare": null,
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_from`, `invalid_to`, `invalid_by`, `invalid_tz`, `invalid_compare`, `invalid_country`, `invalid_referrer`, `invalid_browser`, `invalid_os`, `invalid_device`, `invalid_language`, `invalid_destination`, `invalid_campaign`, `invalid_visitor`, `invalid_cursor`, `invalid_limit`, `invalid_via`, `invalid_utm_medium`, `invalid_utm_campaign`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getLinkStatsCsv: {
        parameters: {
            query?: {
                /**
                 * @description First day; 29 days before `to` if left out
                 * @example 2026-11-20
                 */
                from?: string;
                /**
                 * @description Last day, itself included; today if left out
                 * @example 2026-11-21
                 */
                to?: string;
                /** @description The dimension to break clicks down by */
                by?: "day" | "hour" | "weekday" | "country" | "referrer" | "browser" | "os" | "device" | "language" | "link" | "campaign" | "destination" | "via" | "utm_medium" | "utm_campaign";
                /** @description The IANA time zone of days, hours and weekdays; UTC if left out. Other breakdowns always use UTC days */
                tz?: string;
                /** @description Also answers for as many days before `from` (`previous`), or from this day on */
                compare?: "previous" | string;
                /** @description The maximum number of rows; all if left out */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
                /** @description Only clicks from this country (ISO 3166-1 alpha-2). Can be repeated; null for what is not known */
                country?: string[];
                /** @description Only clicks from pages of this host, or of all hosts of the site with this name. Can be repeated; null for what is not known */
                referrer?: string[];
                /** @description Only clicks with this browser. Can be repeated; null for what is not known */
                browser?: string[];
                /** @description Only clicks with this operating system. Can be repeated; null for what is not known */
                os?: string[];
                /** @description Only clicks on this kind of device. Can be repeated; null for what is not known */
                device?: string[];
                /** @description Only clicks with this language (ISO 639). Can be repeated; null for what is not known */
                language?: string[];
                /** @description Only clicks that were led to this destination of their link. Can be repeated; null for what is not known */
                destination?: string[];
                /** @description Only clicks that counted for this campaign. Can be repeated; null for what is not known */
                campaign?: string[];
                /** @description Only clicks with this source. Can be repeated; null for what is not known */
                via?: string[];
                /** @description Only clicks with this `utm_medium`. Can be repeated; null for what is not known */
                utm_medium?: string[];
                /** @description Only clicks with this `utm_campaign`. Can be repeated; null for what is not known */
                utm_campaign?: string[];
                /** @description Only clicks of people, of programs or of previews. Can be repeated */
                visitor?: ("human" | "bot" | "preview")[];
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the link
                 * @example kQ7WRn9d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows (RFC 4180) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Filtered-From": components["headers"]["Filtered-From"];
                    "Compare-Filtered-From": components["headers"]["Compare-Filtered-From"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example "day","total","humans","bots","previews"
                     *     "2026-11-20",4,3,1,0
                     *     "2026-11-21",0,0,0,0
                     */
                    "text/csv": string;
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_from`, `invalid_to`, `invalid_by`, `invalid_tz`, `invalid_compare`, `invalid_country`, `invalid_referrer`, `invalid_browser`, `invalid_os`, `invalid_device`, `invalid_language`, `invalid_destination`, `invalid_campaign`, `invalid_visitor`, `invalid_cursor`, `invalid_limit`, `invalid_via`, `invalid_utm_medium`, `invalid_utm_campaign`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getCampaignStats: {
        parameters: {
            query?: {
                /**
                 * @description First day; 29 days before `to` if left out
                 * @example 2026-11-20
                 */
                from?: string;
                /**
                 * @description Last day, itself included; today if left out
                 * @example 2026-11-21
                 */
                to?: string;
                /** @description The dimension to break clicks down by */
                by?: "day" | "hour" | "weekday" | "country" | "referrer" | "browser" | "os" | "device" | "language" | "link" | "campaign" | "destination" | "via" | "utm_medium" | "utm_campaign";
                /** @description The IANA time zone of days, hours and weekdays; UTC if left out. Other breakdowns always use UTC days */
                tz?: string;
                /** @description Also answers for as many days before `from` (`previous`), or from this day on */
                compare?: "previous" | string;
                /** @description The maximum number of rows; all if left out */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
                /** @description Only clicks from this country (ISO 3166-1 alpha-2). Can be repeated; null for what is not known */
                country?: string[];
                /** @description Only clicks from pages of this host, or of all hosts of the site with this name. Can be repeated; null for what is not known */
                referrer?: string[];
                /** @description Only clicks with this browser. Can be repeated; null for what is not known */
                browser?: string[];
                /** @description Only clicks with this operating system. Can be repeated; null for what is not known */
                os?: string[];
                /** @description Only clicks on this kind of device. Can be repeated; null for what is not known */
                device?: string[];
                /** @description Only clicks with this language (ISO 639). Can be repeated; null for what is not known */
                language?: string[];
                /** @description Only clicks that were led to this destination of their link. Can be repeated; null for what is not known */
                destination?: string[];
                /** @description Only clicks that counted for this campaign. Can be repeated; null for what is not known */
                campaign?: string[];
                /** @description Only clicks with this source. Can be repeated; null for what is not known */
                via?: string[];
                /** @description Only clicks with this `utm_medium`. Can be repeated; null for what is not known */
                utm_medium?: string[];
                /** @description Only clicks with this `utm_campaign`. Can be repeated; null for what is not known */
                utm_campaign?: string[];
                /** @description Only clicks of people, of programs or of previews. Can be repeated */
                visitor?: ("human" | "bot" | "preview")[];
                /** @description Only clicks of the link with this id. Can be repeated; not for one link */
                link?: string[];
                /** @description Only clicks of the links that have this tag now (case-insensitive); not for one link */
                tag?: string;
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name of the campaign
                 * @example Spring 2026
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "by": "day",
                     *       "tz": "UTC",
                     *       "from": "2026-11-20",
                     *       "to": "2026-11-21",
                     *       "filtered_from": null,
                     *       "total": 4,
                     *       "humans": 3,
                     *       "bots": 1,
                     *       "previews": 0,
                     *       "visitors": null,
                     *       "rows": [
                     *         {
                     *           "key": "2026-11-20",
                     *           "total": 4,
                     *           "humans": 3,
                     *           "bots": 1,
                     *           "previews": 0
                     *         },
                     *         {
                     *           "key": "2026-11-21",
                     *           "total": 0,
                     *           "humans": 0,
                     *           "bots": 0,
                     *           "previews": 0
                     *         }
                     *       ],
                     *       "compare": null,
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_tag`, `invalid_from`, `invalid_to`, `invalid_by`, `invalid_tz`, `invalid_compare`, `invalid_country`, `invalid_referrer`, `invalid_browser`, `invalid_os`, `invalid_device`, `invalid_language`, `invalid_destination`, `invalid_campaign`, `invalid_visitor`, `invalid_link`, `invalid_cursor`, `invalid_limit`, `too_many_links`, `invalid_via`, `invalid_utm_medium`, `invalid_utm_campaign`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getClientStats: {
        parameters: {
            query?: {
                /**
                 * @description First day; 29 days before `to` if left out
                 * @example 2026-11-20
                 */
                from?: string;
                /**
                 * @description Last day, itself included; today if left out
                 * @example 2026-11-21
                 */
                to?: string;
                /** @description The dimension to break clicks down by */
                by?: "day" | "hour" | "weekday" | "country" | "referrer" | "browser" | "os" | "device" | "language" | "link" | "campaign" | "destination" | "via" | "utm_medium" | "utm_campaign";
                /** @description The IANA time zone of days, hours and weekdays; UTC if left out. Other breakdowns always use UTC days */
                tz?: string;
                /** @description Also answers for as many days before `from` (`previous`), or from this day on */
                compare?: "previous" | string;
                /** @description The maximum number of rows; all if left out */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
                /** @description Only clicks from this country (ISO 3166-1 alpha-2). Can be repeated; null for what is not known */
                country?: string[];
                /** @description Only clicks from pages of this host, or of all hosts of the site with this name. Can be repeated; null for what is not known */
                referrer?: string[];
                /** @description Only clicks with this browser. Can be repeated; null for what is not known */
                browser?: string[];
                /** @description Only clicks with this operating system. Can be repeated; null for what is not known */
                os?: string[];
                /** @description Only clicks on this kind of device. Can be repeated; null for what is not known */
                device?: string[];
                /** @description Only clicks with this language (ISO 639). Can be repeated; null for what is not known */
                language?: string[];
                /** @description Only clicks that were led to this destination of their link. Can be repeated; null for what is not known */
                destination?: string[];
                /** @description Only clicks that counted for this campaign. Can be repeated; null for what is not known */
                campaign?: string[];
                /** @description Only clicks with this source. Can be repeated; null for what is not known */
                via?: string[];
                /** @description Only clicks with this `utm_medium`. Can be repeated; null for what is not known */
                utm_medium?: string[];
                /** @description Only clicks with this `utm_campaign`. Can be repeated; null for what is not known */
                utm_campaign?: string[];
                /** @description Only clicks of people, of programs or of previews. Can be repeated */
                visitor?: ("human" | "bot" | "preview")[];
                /** @description Only clicks of the link with this id. Can be repeated; not for one link */
                link?: string[];
                /** @description Only clicks of the links that have this tag now (case-insensitive); not for one link */
                tag?: string;
                /** @description One campaign; for the statistics of a client only */
                campaign_name?: string;
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "by": "day",
                     *       "tz": "UTC",
                     *       "from": "2026-11-20",
                     *       "to": "2026-11-21",
                     *       "filtered_from": null,
                     *       "total": 4,
                     *       "humans": 3,
                     *       "bots": 1,
                     *       "previews": 0,
                     *       "visitors": {
                     *         "total": 0,
                     *         "from": "2026-11-21",
                     *         "to": "2026-11-21"
                     *       },
                     *       "rows": [
                     *         {
                     *           "key": "2026-11-20",
                     *           "total": 4,
                     *           "humans": 3,
                     *           "bots": 1,
                     *           "previews": 0
                     *         },
                     *         {
                     *           "key": "2026-11-21",
                     *           "total": 0,
                     *           "humans": 0,
                     *           "bots": 0,
                     *           "previews": 0
                     *         }
                     *       ],
                     *       "compare": null,
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_tag`, `invalid_from`, `invalid_to`, `invalid_by`, `invalid_tz`, `invalid_compare`, `invalid_country`, `invalid_referrer`, `invalid_browser`, `invalid_os`, `invalid_device`, `invalid_language`, `invalid_destination`, `invalid_campaign`, `invalid_visitor`, `invalid_link`, `invalid_cursor`, `invalid_limit`, `too_many_links`, `invalid_via`, `invalid_utm_medium`, `invalid_utm_campaign`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getClientStatsCsv: {
        parameters: {
            query?: {
                /**
                 * @description First day; 29 days before `to` if left out
                 * @example 2026-11-20
                 */
                from?: string;
                /**
                 * @description Last day, itself included; today if left out
                 * @example 2026-11-21
                 */
                to?: string;
                /** @description The dimension to break clicks down by */
                by?: "day" | "hour" | "weekday" | "country" | "referrer" | "browser" | "os" | "device" | "language" | "link" | "campaign" | "destination" | "via" | "utm_medium" | "utm_campaign";
                /** @description The IANA time zone of days, hours and weekdays; UTC if left out. Other breakdowns always use UTC days */
                tz?: string;
                /** @description Also answers for as many days before `from` (`previous`), or from this day on */
                compare?: "previous" | string;
                /** @description The maximum number of rows; all if left out */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
                /** @description Only clicks from this country (ISO 3166-1 alpha-2). Can be repeated; null for what is not known */
                country?: string[];
                /** @description Only clicks from pages of this host, or of all hosts of the site with this name. Can be repeated; null for what is not known */
                referrer?: string[];
                /** @description Only clicks with this browser. Can be repeated; null for what is not known */
                browser?: string[];
                /** @description Only clicks with this operating system. Can be repeated; null for what is not known */
                os?: string[];
                /** @description Only clicks on this kind of device. Can be repeated; null for what is not known */
                device?: string[];
                /** @description Only clicks with this language (ISO 639). Can be repeated; null for what is not known */
                language?: string[];
                /** @description Only clicks that were led to this destination of their link. Can be repeated; null for what is not known */
                destination?: string[];
                /** @description Only clicks that counted for this campaign. Can be repeated; null for what is not known */
                campaign?: string[];
                /** @description Only clicks with this source. Can be repeated; null for what is not known */
                via?: string[];
                /** @description Only clicks with this `utm_medium`. Can be repeated; null for what is not known */
                utm_medium?: string[];
                /** @description Only clicks with this `utm_campaign`. Can be repeated; null for what is not known */
                utm_campaign?: string[];
                /** @description Only clicks of people, of programs or of previews. Can be repeated */
                visitor?: ("human" | "bot" | "preview")[];
                /** @description Only clicks of the link with this id. Can be repeated; not for one link */
                link?: string[];
                /** @description Only clicks of the links that have this tag now (case-insensitive); not for one link */
                tag?: string;
                /** @description One campaign; for the statistics of a client only */
                campaign_name?: string;
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows (RFC 4180) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Filtered-From": components["headers"]["Filtered-From"];
                    "Compare-Filtered-From": components["headers"]["Compare-Filtered-From"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example "day","total","humans","bots","previews"
                     *     "2026-11-20",4,3,1,0
                     *     "2026-11-21",0,0,0,0
                     */
                    "text/csv": string;
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_tag`, `invalid_from`, `invalid_to`, `invalid_by`, `invalid_tz`, `invalid_compare`, `invalid_country`, `invalid_referrer`, `invalid_browser`, `invalid_os`, `invalid_device`, `invalid_language`, `invalid_destination`, `invalid_campaign`, `invalid_visitor`, `invalid_link`, `invalid_cursor`, `invalid_limit`, `too_many_links`, `invalid_via`, `invalid_utm_medium`, `invalid_utm_campaign`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    streamClicks: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /** @description Only clicks of the link with this id */
                link_id?: string;
            };
            header?: {
                /**
                 * @description The `id` of the last event that you have: the stream begins with what came after it within the last minute. Other texts are ignored
                 * @example 1795255198000-1
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, such as `event: click` with `data: {"at":"2026-11-21T09:59:58.120Z","link_id":"kQ7WRn9d","short_url":"https://terse.example/spring-sale","country":"AT","referrer":"news.example","device":"mobile","os":"iOS","browser":"Safari","via":"qr","utm_medium":null,"utm_campaign":null,"kind":"human","clicks":1}` */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of domains */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domains": [
                     *         {
                     *           "id": "5d41402abc4b2a76",
                     *           "client_id": "acme",
                     *           "host": "go.acme.example",
                     *           "status": "active",
                     *           "root_url": "https://acme.example/",
                     *           "not_found_url": null,
                     *           "case_sensitive": false,
                     *           "tolerant": true,
                     *           "slug_length": 8,
                     *           "dns": {
                     *             "txt": {
                     *               "name": "_terse.go.acme.example",
                     *               "value": "terse-domain=9e107d9d372bb6826bd81d3542a419d6"
                     *             },
                     *             "cname": {
                     *               "name": "go.acme.example",
                     *               "value": "terse.example"
                     *             }
                     *           },
                     *           "created_at": "2026-05-19T16:20:00.000Z",
                     *           "verified_at": "2026-05-20T10:00:00.000Z",
                     *           "checked_at": "2026-11-21T04:17:00.000Z",
                     *           "failures": 0,
                     *           "next": null
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    addDomain: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "to.acme.example"
                 *     }
                 */
                "application/json": components["schemas"]["NewDomain"];
            };
        };
        responses: {
            /** @description The domain */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d41402abc4b2a76",
                     *       "client_id": "acme",
                     *       "host": "to.acme.example",
                     *       "status": "pending",
                     *       "root_url": null,
                     *       "not_found_url": null,
                     *       "case_sensitive": false,
                     *       "tolerant": true,
                     *       "slug_length": 8,
                     *       "dns": {
                     *         "txt": {
                     *           "name": "_terse.to.acme.example",
                     *           "value": "terse-domain=9e107d9d372bb6826bd81d3542a419d6"
                     *         },
                     *         "cname": {
                     *           "name": "to.acme.example",
                     *           "value": "terse.example"
                     *         }
                     *       },
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "verified_at": null,
                     *       "checked_at": null,
                     *       "failures": 0,
                     *       "next": "Set the TXT record _terse.to.acme.example to terse-domain=9e107d9d372bb6826bd81d3542a419d6 and the CNAME record to.acme.example to terse.example, then call POST /v1/domains/5d41402abc4b2a76/verify. The operator of this service must also add the domain to the deployment: npm run deploy -- --domain to.acme.example"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_idempotency_key`, `invalid_host`, `invalid_root_url`, `invalid_not_found_url`, `invalid_case_sensitive`, `invalid_tolerant`, `invalid_slug_length`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The request conflicts with what exists already. Codes: `domain_taken`, `too_many_domains`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getDomain: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the domain
                 * @example 5d41402abc4b2a76
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d41402abc4b2a76",
                     *       "client_id": "acme",
                     *       "host": "go.acme.example",
                     *       "status": "active",
                     *       "root_url": "https://acme.example/",
                     *       "not_found_url": null,
                     *       "case_sensitive": false,
                     *       "tolerant": true,
                     *       "slug_length": 8,
                     *       "dns": {
                     *         "txt": {
                     *           "name": "_terse.go.acme.example",
                     *           "value": "terse-domain=9e107d9d372bb6826bd81d3542a419d6"
                     *         },
                     *         "cname": {
                     *           "name": "go.acme.example",
                     *           "value": "terse.example"
                     *         }
                     *       },
                     *       "created_at": "2026-05-19T16:20:00.000Z",
                     *       "verified_at": "2026-05-20T10:00:00.000Z",
                     *       "checked_at": "2026-11-21T04:17:00.000Z",
                     *       "failures": 0,
                     *       "next": null,
                     *       "apple_app_site_association": "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.com.acme.app\"],\"components\":[{\"/\":\"/*\"}]}]}}",
                     *       "asset_links": "[{\"relation\":[\"delegate_permission/common.handle_all_urls\"],\"target\":{\"namespace\":\"android_app\",\"package_name\":\"com.acme.app\",\"sha256_cert_fingerprints\":[\"14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16\"]}}]"
                     *     }
                     */
                    "application/json": components["schemas"]["DomainWithAppLinks"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    removeDomain: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /** @description true removes a domain that has links, and deletes them */
                force?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the domain
                 * @example 5d41402abc4b2a76
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_force`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["DomainInUse"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    changeDomain: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the domain
                 * @example 5d41402abc4b2a76
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "not_found_url": "https://acme.example/lost"
                 *     }
                 */
                "application/json": components["schemas"]["DomainChange"];
            };
        };
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d41402abc4b2a76",
                     *       "client_id": "acme",
                     *       "host": "go.acme.example",
                     *       "status": "active",
                     *       "root_url": "https://acme.example/",
                     *       "not_found_url": "https://acme.example/lost",
                     *       "case_sensitive": false,
                     *       "tolerant": true,
                     *       "slug_length": 8,
                     *       "dns": {
                     *         "txt": {
                     *           "name": "_terse.go.acme.example",
                     *           "value": "terse-domain=9e107d9d372bb6826bd81d3542a419d6"
                     *         },
                     *         "cname": {
                     *           "name": "go.acme.example",
                     *           "value": "terse.example"
                     *         }
                     *       },
                     *       "created_at": "2026-05-19T16:20:00.000Z",
                     *       "verified_at": "2026-05-20T10:00:00.000Z",
                     *       "checked_at": "2026-11-21T04:17:00.000Z",
                     *       "failures": 0,
                     *       "next": null,
                     *       "apple_app_site_association": "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.com.acme.app\"],\"components\":[{\"/\":\"/*\"}]}]}}",
                     *       "asset_links": "[{\"relation\":[\"delegate_permission/common.handle_all_urls\"],\"target\":{\"namespace\":\"android_app\",\"package_name\":\"com.acme.app\",\"sha256_cert_fingerprints\":[\"14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16\"]}}]"
                     *     }
                     */
                    "application/json": components["schemas"]["DomainWithAppLinks"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_root_url`, `invalid_not_found_url`, `invalid_case_sensitive`, `invalid_tolerant`, `invalid_slug_length`, `invalid_apple_app_site_association`, `invalid_asset_links`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["DomainInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the domain
                 * @example 5d41402abc4b2a76
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain, and the results of the check */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d41402abc4b2a76",
                     *       "client_id": "acme",
                     *       "host": "go.acme.example",
                     *       "status": "active",
                     *       "root_url": "https://acme.example/",
                     *       "not_found_url": null,
                     *       "case_sensitive": false,
                     *       "tolerant": true,
                     *       "slug_length": 8,
                     *       "dns": {
                     *         "txt": {
                     *           "name": "_terse.go.acme.example",
                     *           "value": "terse-domain=9e107d9d372bb6826bd81d3542a419d6"
                     *         },
                     *         "cname": {
                     *           "name": "go.acme.example",
                     *           "value": "terse.example"
                     *         }
                     *       },
                     *       "created_at": "2026-05-19T16:20:00.000Z",
                     *       "verified_at": "2026-11-21T10:00:00.000Z",
                     *       "checked_at": "2026-11-21T10:00:00.000Z",
                     *       "failures": 0,
                     *       "next": null,
                     *       "checks": {
                     *         "dns": "ok",
                     *         "http": "ok"
                     *       },
                     *       "disabled_links": 0
                     *     }
                     */
                    "application/json": components["schemas"]["VerifiedDomain"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`, `resolver_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getAppleAppSiteAssociation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "applinks": {
                     *         "details": [
                     *           {
                     *             "appIDs": [
                     *               "ABCDE12345.com.acme.app"
                     *             ],
                     *             "components": [
                     *               {
                     *                 "/": "/*"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            /** @description It does not exist. Codes: `not_found`. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
        };
    };
    getAssetLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "relation": [
                     *           "delegate_permission/common.handle_all_urls"
                     *         ],
                     *         "target": {
                     *           "namespace": "android_app",
                     *           "package_name": "com.acme.app",
                     *           "sha256_cert_fingerprints": [
                     *             "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": unknown;
                };
            };
            /** @description It does not exist. Codes: `not_found`. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
        };
    };
    proveHost: {
        parameters: {
            query?: {
                /**
                 * @description A random value, as base64url; without one `proof` is null
                 * @example q83vEjRWeJCrze8SNFZ4kA
                 */
                nonce?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The name of this service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "service": "terse",
                     *       "host": "terse.example",
                     *       "proof": "2jmj7l5rSw0yVb_vlWAYkK_YBwk7WmTgN8T9pC1oXyA"
                     *     }
                     */
                    "application/json": components["schemas"]["HostProof"];
                };
            };
            /** @description Something in the request is wrong. Codes: `invalid_host`. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "h4Tq8ZrW2mKx",
                     *           "name": "build server",
                     *           "scopes": [
                     *             "links:read",
                     *             "links:write",
                     *             "stats:read"
                     *           ],
                     *           "created_at": "2026-03-01T12:00:00.000Z",
                     *           "created_by": "ann",
                     *           "expires_at": null,
                     *           "last_used_at": "2026-11-20T09:00:00.000Z",
                     *           "revoked_at": null,
                     *           "former_secret_ends_at": null,
                     *           "adopted_at": null
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "read only",
                 *       "scopes": [
                 *         "links:read"
                 *       ],
                 *       "expires_at": "2099-12-31T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key and its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "h4Tq8ZrW2mKx",
                     *       "name": "read only",
                     *       "scopes": [
                     *         "links:read"
                     *       ],
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "created_by": "ann",
                     *       "expires_at": "2099-12-31T00:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "former_secret_ends_at": null,
                     *       "adopted_at": null,
                     *       "key": "tk_h4Tq8ZrW2mKx_Q2wE4rT6yU8iO0pA1sD3fG5hJ7kL9zX2cV4bN6mQ8wE"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_expires_at`, `invalid_idempotency_key`, `invalid_name`, `invalid_scopes`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            409: components["responses"]["TooManyKeys"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the key
                 * @example h4Tq8ZrW2mKx
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    renameKey: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the key
                 * @example h4Tq8ZrW2mKx
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "press office"
                 *     }
                 */
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "h4Tq8ZrW2mKx",
                     *       "name": "press office",
                     *       "scopes": [
                     *         "links:read",
                     *         "links:write",
                     *         "stats:read"
                     *       ],
                     *       "created_at": "2026-03-01T12:00:00.000Z",
                     *       "created_by": "ann",
                     *       "expires_at": null,
                     *       "last_used_at": "2026-11-20T09:00:00.000Z",
                     *       "revoked_at": null,
                     *       "former_secret_ends_at": null,
                     *       "adopted_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_name`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    rollKey: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description Whether the previous secret works for 24 more hours or stops working at once
                 * @example keep
                 */
                former_secret?: "keep" | "end";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the key
                 * @example h4Tq8ZrW2mKx
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key and its new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "h4Tq8ZrW2mKx",
                     *       "name": "build server",
                     *       "scopes": [
                     *         "links:read",
                     *         "links:write",
                     *         "stats:read"
                     *       ],
                     *       "created_at": "2026-03-01T12:00:00.000Z",
                     *       "created_by": "ann",
                     *       "expires_at": null,
                     *       "last_used_at": "2026-11-20T09:00:00.000Z",
                     *       "revoked_at": null,
                     *       "former_secret_ends_at": "2026-11-22T10:00:00.000Z",
                     *       "adopted_at": null,
                     *       "key": "tk_h4Tq8ZrW2mKx_Q2wE4rT6yU8iO0pA1sD3fG5hJ7kL9zX2cV4bN6mQ8wE"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_idempotency_key`, `invalid_former_secret`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyEnded"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listKeyLinks: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the key
                 * @example h4Tq8ZrW2mKx
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "id": "kQ7WRn9d",
                     *           "short_url": "https://terse.example/spring-sale",
                     *           "url": "https://example.com/sale",
                     *           "client_id": "acme",
                     *           "sec_id": "print-2026",
                     *           "campaign_name": "Spring 2026",
                     *           "custom_domain": null,
                     *           "metadata": "{\"team\":\"web\"}",
                     *           "created_at": "2026-11-20T09:00:00.000Z",
                     *           "slug": "spring-sale",
                     *           "aliases": [
                     *             "kQ7WRn9d"
                     *           ],
                     *           "title": null,
                     *           "comments": null,
                     *           "external_id": "product-4711",
                     *           "tags": [
                     *             "Summer"
                     *           ],
                     *           "starts_at": null,
                     *           "expires_at": "2027-06-30T22:00:00.000Z",
                     *           "max_clicks": null,
                     *           "expired_url": null,
                     *           "rules": null,
                     *           "variants": null,
                     *           "fallback": null,
                     *           "redirect_status": null,
                     *           "forward_query": null,
                     *           "forward_path": null,
                     *           "preview": null,
                     *           "inspectable": null,
                     *           "ask_first": null,
                     *           "language": null,
                     *           "check_destination": null,
                     *           "imported_clicks": null,
                     *           "has_password": false,
                     *           "disabled": false,
                     *           "state": "active",
                     *           "waits_for": null,
                     *           "unhealthy": null,
                     *           "updated_at": "2026-11-20T15:30:00.000Z"
                     *         }
                     *       ],
                     *       "cursor": null,
                     *       "scanned_to": null
                     *     }
                     */
                    "application/json": components["schemas"]["LinkList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "92eb5ffee6ae2fec",
                     *           "url": "https://hooks.example.com/terse",
                     *           "description": "Sales dashboard",
                     *           "events": [
                     *             "link.created",
                     *             "link.clicked"
                     *           ],
                     *           "tag": null,
                     *           "campaign_name": "Spring 2026",
                     *           "disabled": false,
                     *           "disabled_at": null,
                     *           "disabled_by": null,
                     *           "failing_since": null,
                     *           "failing_reason": null,
                     *           "former_secret_ends_at": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/links",
                 *       "events": [
                 *         "link.created",
                 *         "link.deleted"
                 *       ],
                 *       "description": "Archive"
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook and its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "92eb5ffee6ae2fec",
                     *       "url": "https://hooks.example.com/links",
                     *       "description": "Archive",
                     *       "events": [
                     *         "link.created",
                     *         "link.deleted"
                     *       ],
                     *       "tag": null,
                     *       "campaign_name": null,
                     *       "disabled": false,
                     *       "disabled_at": null,
                     *       "disabled_by": null,
                     *       "failing_since": null,
                     *       "failing_reason": null,
                     *       "former_secret_ends_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_campaign_name`, `invalid_tag`, `invalid_events`, `invalid_description`, `invalid_idempotency_key`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            409: components["responses"]["TooManyWebhooks"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`, `resolver_unavailable`, `webhooks_off`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "92eb5ffee6ae2fec",
                     *       "url": "https://hooks.example.com/terse",
                     *       "description": "Sales dashboard",
                     *       "events": [
                     *         "link.created",
                     *         "link.clicked"
                     *       ],
                     *       "tag": null,
                     *       "campaign_name": "Spring 2026",
                     *       "disabled": false,
                     *       "disabled_at": null,
                     *       "disabled_by": null,
                     *       "failing_since": null,
                     *       "failing_reason": null,
                     *       "former_secret_ends_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `busy`, `store_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "link.created"
                 *       ],
                 *       "campaign_name": null
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "92eb5ffee6ae2fec",
                     *       "url": "https://hooks.example.com/terse",
                     *       "description": "Sales dashboard",
                     *       "events": [
                     *         "link.created"
                     *       ],
                     *       "tag": null,
                     *       "campaign_name": null,
                     *       "disabled": false,
                     *       "disabled_at": null,
                     *       "disabled_by": null,
                     *       "failing_since": null,
                     *       "failing_reason": null,
                     *       "former_secret_ends_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_url`, `own_host`, `blocked_host`, `invalid_client_id`, `invalid_campaign_name`, `invalid_tag`, `invalid_events`, `invalid_description`, `invalid_disabled`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`, `resolver_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    rollWebhook: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook and its new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "92eb5ffee6ae2fec",
                     *       "url": "https://hooks.example.com/terse",
                     *       "description": "Sales dashboard",
                     *       "events": [
                     *         "link.created",
                     *         "link.clicked"
                     *       ],
                     *       "tag": null,
                     *       "campaign_name": "Spring 2026",
                     *       "disabled": false,
                     *       "disabled_at": null,
                     *       "disabled_by": null,
                     *       "failing_since": null,
                     *       "failing_reason": null,
                     *       "former_secret_ends_at": "2026-11-22T10:00:00.000Z",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_idempotency_key`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`, `webhooks_off`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /** @description Only deliveries in this state: `pending`, `delivered`, or `failed` after all attempts */
                state?: "pending" | "delivered" | "failed";
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "event_id": "evt_4a8a08f09d37b73795649038408b5f33",
                     *           "type": "link.created",
                     *           "happened_at": "2026-11-21T09:30:00.000Z",
                     *           "state": "failed",
                     *           "attempts": 1,
                     *           "next_attempt_at": null,
                     *           "delivered_at": null
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
                /**
                 * @description The id of the event
                 * @example evt_4a8a08f09d37b73795649038408b5f33
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "evt_4a8a08f09d37b73795649038408b5f33",
                     *       "type": "link.created",
                     *       "happened_at": "2026-11-21T09:30:00.000Z",
                     *       "state": "failed",
                     *       "attempts": 1,
                     *       "next_attempt_at": null,
                     *       "delivered_at": null,
                     *       "log": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-21T09:30:01.000Z",
                     *           "milliseconds": 112,
                     *           "status": 503,
                     *           "reason": null,
                     *           "response": "Service Unavailable"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryWithLog"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
                /**
                 * @description The id of the event
                 * @example evt_4a8a08f09d37b73795649038408b5f33
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "evt_4a8a08f09d37b73795649038408b5f33",
                     *       "type": "link.created",
                     *       "happened_at": "2026-11-21T09:30:00.000Z",
                     *       "state": "pending",
                     *       "attempts": 1,
                     *       "next_attempt_at": "2026-11-21T10:00:00.000Z",
                     *       "delivered_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_idempotency_key`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookDisabled"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    redeliverFailed: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-21T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            /** @description How many deliveries begin anew */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "redelivered": 1,
                     *       "complete": true
                     *     }
                     */
                    "application/json": components["schemas"]["Redelivered"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_since`, `invalid_idempotency_key`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookDisabled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook
                 * @example 92eb5ffee6ae2fec
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is on its way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "evt_4a8a08f09d37b73795649038408b5f33"
                     *     }
                     */
                    "application/json": components["schemas"]["TestEvent"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_idempotency_key`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookDisabled"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "members": [
                     *         {
                     *           "local_id": "b7e2a9c4-1d3f-4a68-8c5b-0f9e7d6c5b4a",
                     *           "name": "bob",
                     *           "role": "member",
                     *           "joined_at": "2026-02-10T08:30:00.000Z",
                     *           "disabled_at": null,
                     *           "suspended_at": null
                     *         },
                     *         {
                     *           "local_id": "3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90",
                     *           "name": "ann",
                     *           "role": "owner",
                     *           "joined_at": "2026-01-05T08:00:00.000Z",
                     *           "disabled_at": null,
                     *           "suspended_at": null
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description Whether the member's keys are revoked or transferred to you. The member still knows the secrets of transferred keys: their `adopted_at` marks them, until each is rolled
                 * @example adopt
                 */
                keys: "revoke" | "adopt";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the user
                 * @example b7e2a9c4-1d3f-4a68-8c5b-0f9e7d6c5b4a
                 */
                local_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_keys`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastOwner"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the user
                 * @example b7e2a9c4-1d3f-4a68-8c5b-0f9e7d6c5b4a
                 */
                local_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "owner"
                 *     }
                 */
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "local_id": "b7e2a9c4-1d3f-4a68-8c5b-0f9e7d6c5b4a",
                     *       "name": "bob",
                     *       "role": "owner",
                     *       "joined_at": "2026-02-10T08:30:00.000Z",
                     *       "disabled_at": null,
                     *       "suspended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_role`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listInvites: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invites */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invites": [
                     *         {
                     *           "id": "v5NcYb7LsE2q",
                     *           "role": "member",
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "created_by": "ann",
                     *           "expires_at": "2026-11-24T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["InviteList"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createInvite: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "member",
                 *       "email": "ann@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["NewInvite"];
            };
        };
        responses: {
            /** @description The invite and its link */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "v5NcYb7LsE2q",
                     *       "role": "member",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "created_by": "ann",
                     *       "expires_at": "2026-11-24T10:00:00.000Z",
                     *       "url": "https://terse.example/platform/invite/Xk3vQ9bT6mZr1WcY8nLd5HpJ2sGf7aRtE4uKo0iBqVx",
                     *       "mailed": true
                     *     }
                     */
                    "application/json": components["schemas"]["InviteWithLink"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_idempotency_key`, `invalid_role`, `invalid_email`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The request conflicts with what exists already. Codes: `too_many_invites`, `mail_off`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    revokeInvite: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the invite
                 * @example v5NcYb7LsE2q
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Xk3vQ9bT6mZr1WcY8nLd5HpJ2sGf7aRtE4uKo0iBqVx",
                 *       "name": "eve",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["InviteAcceptance"];
            };
        };
        responses: {
            /** @description The user who has joined */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "client_id": "acme",
                     *       "local_id": "0e4c7d52-96b1-4f3a-a8d7-2c5b9e1f6043",
                     *       "name": "eve",
                     *       "role": "member",
                     *       "joined_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Joined"];
                };
            };
            /** @description Something in the request is wrong. Codes: `malformed_body`, `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_idempotency_key`, `invalid_name`, `invalid_password`, `invalid_token`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `insufficient_scope`, `step_up_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with what exists already. Codes: `already_member`, `name_taken`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            410: components["responses"]["Gone"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `busy`, `store_unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description The client; required if the user belongs to several; neither `.` nor `..` */
                client_id?: string;
                /**
                 * @description The maximum number of results; 50 if left out
                 * @example 20
                 */
                limit?: number;
                /** @description The cursor from the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "9a0b1c2d3e4f5061",
                     *           "at": "2026-03-01T12:00:00.000Z",
                     *           "action": "key.created",
                     *           "subject": {
                     *             "kind": "key",
                     *             "id": "h4Tq8ZrW2mKx",
                     *             "name": "build server"
                     *           },
                     *           "details": {
                     *             "scopes": [
                     *               "links:read",
                     *               "links:write",
                     *               "stats:read"
                     *             ],
                     *             "expires_at": null
                     *           },
                     *           "by": {
                     *             "local_id": "3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90",
                     *             "name": "ann"
                     *           },
                     *           "credential": {
                     *             "kind": "access_token",
                     *             "id": "7c9e6679-7425-40de-944b-e07fc1f90ae7"
                     *           }
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description Something in the request is wrong. Codes: `missing_field`, `repeated_field`, `unknown_field`, `too_long`, `invalid_client_id`, `invalid_cursor`, `invalid_limit`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The credential is valid, but does not have this permission. Codes: `wrong_client`, `insufficient_scope`, `not_owner`, `step_up_required`, `factor_required`, `provider_required`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential, with its permissions and limits */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "access_token",
                     *       "user": {
                     *         "local_id": "3f6c1f0e-52a4-4f0b-9d0e-6a1f2b7c8d90",
                     *         "name": "ann"
                     *       },
                     *       "key": null,
                     *       "clients": [
                     *         {
                     *           "client_id": "acme",
                     *           "role": "owner",
                     *           "scopes": [
                     *             "links:read",
                     *             "links:write",
                     *             "stats:read",
                     *             "keys",
                     *             "domains:read",
                     *             "domains:write",
                     *             "members",
                     *             "webhooks",
                     *             "audit"
                     *           ]
                     *         }
                     *       ],
                     *       "limits": {
                     *         "creates_per_minute": 3000,
                     *         "creates_per_minute_and_address": 6000,
                     *         "links_per_batch": 100
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    inspectLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The slug of the link, before the `+`
                 * @example spring-sale
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description It does not exist. Codes: `not_found`. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
        };
    };
    followLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The slug of the link, in any case unless its domain is case-sensitive
                 * @example spring-sale
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The redirect to the destination */
            302: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is valid, but does not have this permission. Codes: `link_blocked`. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description It does not exist. Codes: `not_found`. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description It has expired, or has been disabled or deleted. Codes: `gone`. */
            410: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description A redirect with the `redirect_status` of the link, a page (200), or any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
        };
    };
    getRobots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 9309 */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example User-agent: *
                     *     Disallow:
                     */
                    "text/plain": string;
                };
            };
            /** @description It does not exist. Codes: `not_found`. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description An internal error; it has been logged. Codes: `internal_error`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /** @description 1 checks the stores too */
                deep?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It works */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "checked": []
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Something in the request is wrong. Codes: `repeated_field`, `unknown_field`, `too_long`, `invalid_deep`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            /** @description The service is temporarily unavailable; try again after `Retry-After`. Codes: `store_unavailable`, `restoring`, `read_only`, `full`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Not modified: the ETag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `invalid_host`. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getChangelog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changelog"];
                    "text/html": string;
                };
            };
            /** @description Not modified: the ETag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `invalid_host`. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getChangelogFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RSS 2.0, with one item per release */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/rss+xml": string;
                };
            };
            /** @description Not modified: the ETag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something in the request is wrong. Codes: `invalid_host`. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
}
