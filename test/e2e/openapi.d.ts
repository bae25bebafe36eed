// Generated: npm run e2e:types

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this is, and its limits */
        get: operations["service"];
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
        /** This description */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process answers */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The service can serve: root in place, cursor store reachable, not draining, reads not all hung */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics for Prometheus */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of lines, of characters, or the block of code around a line */
        get: operations["read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A window of raw bytes, as text, base64 or hex */
        get: operations["bytes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page that POST would return; moves nothing */
        get: operations["peek"];
        put?: never;
        /** The next unread page of a growing file; advances the run's cursor */
        post: operations["tail"];
        /** Forgets the run's cursor for a path, or all of the run's */
        delete: operations["forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A window of bytes */
        BytesPage: {
            /** @enum {string} */
            unit: "bytes";
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "base64" | "hex";
            /** @description The normalised path, relative to the root */
            path: string;
            content: string;
            /** @description First raw byte of the file that `content` represents */
            startByte: number;
            /** @description Exclusive */
            endByte: number;
            /** @description The page reaches the end of the extent */
            eof: boolean;
            /** @description U+FFFD that decoding inserted into `content` */
            replacements: number;
            file: components["schemas"]["File"];
            /** @description As asked for */
            offset: number;
            /** @description As asked for */
            limit: number;
            byteCount: number;
            /** @description Bytes at the start that belong to a character which the edge cuts */
            trimmedStart: number;
            trimmedEnd: number;
            nextOffset: number | null;
            /** @description Not `eof` */
            truncated: boolean;
            next: string | null;
        };
        /** @description A page of characters */
        CharactersPage: {
            /** @enum {string} */
            unit: "chars";
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be";
            /** @description The normalised path, relative to the root */
            path: string;
            content: string;
            /** @description First raw byte of the file that `content` represents */
            startByte: number;
            /** @description Exclusive */
            endByte: number;
            /** @description The page reaches the end of the extent */
            eof: boolean;
            /** @description U+FFFD that decoding inserted into `content` */
            replacements: number;
            file: components["schemas"]["File"];
            offsetChars: number;
            /** @description Exclusive */
            endChars: number;
            charCount: number;
            truncated: boolean;
            truncatedBy: ("chars" | "bytes") | null;
            nextOffsetChars: number | null;
            totalChars: number | null;
            next: string | null;
        };
        /** @description A line of which a part was left out; offsets are raw bytes of the file */
        ClippedLine: {
            line: number;
            lineBytes: number;
            omittedStart: number;
            /** @description Inclusive */
            omittedEnd: number;
            omittedBytes: number;
            /** @description The `/bytes` URL of the omitted part */
            next: string;
        };
        File: {
            /** @description The extent of this read: the size at the open, in bytes */
            size: number;
            /** Format: date-time */
            modifiedAt: string;
            /** @description Opaque; changes when the name comes to hold another file */
            generation: string;
        };
        Forgotten: {
            run: string;
            /** @description How many cursors */
            forgotten: number;
        };
        /** @description What a caller needs to plan its paging */
        Limits: {
            maxPathBytes: number;
            defaultLines: number;
            maxLines: number;
            maxLinePageBytes: number;
            maxChars: number;
            maxCharPageBytes: number;
            defaultByteWindow: number;
            maxByteWindow: number;
            maxTailBytes: number;
            maxWaitSeconds: number;
            deadlineMs: number;
            /** @description 0: not limited */
            requestsPerMinute: number;
        };
        /** @description A page of lines */
        LinesPage: {
            /** @enum {string} */
            unit: "lines";
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be";
            /** @description The normalised path, relative to the root */
            path: string;
            content: string;
            /** @description First raw byte of the file that `content` represents */
            startByte: number;
            /** @description Exclusive */
            endByte: number;
            /** @description The page reaches the end of the extent */
            eof: boolean;
            /** @description U+FFFD that decoding inserted into `content` */
            replacements: number;
            file: components["schemas"]["File"];
            startLine: number;
            endLine: number;
            lineCount: number;
            /** @description The last returned line had its line feed */
            endsWithNewline: boolean;
            /** @description A further line exists */
            truncated: boolean;
            truncatedBy: ("lines" | "bytes") | null;
            nextStartLine: number | null;
            totalLines: number | null;
            clippedLines: components["schemas"]["ClippedLine"][];
            /** @description On a block */
            aroundLine?: number;
            next: string | null;
        };
        /** @description RFC 9457. Codes have members of their own */
        Problem: {
            /** @description `urn:artifact-pager:problem:<code in lower case, with hyphens>` */
            type: string;
            title: string;
            status: number;
            /** @description What to do instead */
            detail: string;
            /** @description As in `X-Request-Id` */
            requestId: string;
            /** @description The parameter that breaks its rule */
            parameter?: string;
            /** @description `line-too-long`, `line-out-of-range` or `deadline` */
            reason?: string;
            line?: number;
            startByte?: number;
            endByte?: number;
            seq?: number;
            totalLines?: number;
            reached?: {
                line?: number;
                char?: number;
                byte: number;
            };
            /** @description Where to go on */
            next?: string;
            /** @enum {string} */
            code: "INVALID_REQUEST" | "INVALID_PATH" | "MALFORMED_HTTP" | "UNAUTHORIZED" | "PATH_OUTSIDE_ROOT" | "PERMISSION_DENIED" | "FILE_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CURSOR_CONFLICT" | "FILE_CHANGED" | "NOT_A_FILE" | "READ_LIMIT_EXCEEDED" | "RATE_LIMITED" | "INTERNAL" | "OVERLOADED" | "STORAGE_UNAVAILABLE" | "CURSOR_STORE_UNAVAILABLE" | "NOT_READY" | "READ_DEADLINE_EXCEEDED";
        } & {
            [key: string]: unknown;
        };
        /** @description Why the cursor restarted at byte 0 */
        Reset: {
            /** @enum {string} */
            reason: "replaced" | "truncated" | "rewritten";
            /** @description The position that the cursor had */
            fromByte: number;
        };
        Service: {
            name: string;
            version: string;
            routes: string[];
            limits: components["schemas"]["Limits"];
        };
        Status: {
            status: string;
        };
        /** @description A page of a tail */
        TailPage: {
            /** @enum {string} */
            unit: "tail";
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be";
            /** @description The normalised path, relative to the root */
            path: string;
            content: string;
            /** @description First raw byte of the file that `content` represents */
            startByte: number;
            /** @description Exclusive */
            endByte: number;
            /** @description The page reaches the end of the extent */
            eof: boolean;
            /** @description U+FFFD that decoding inserted into `content` */
            replacements: number;
            file: components["schemas"]["File"];
            run: string;
            /** @description Of this page; of the last one if this has no content */
            seq: number;
            /** @description There was no cursor */
            created: boolean;
            /** @description The page was handed out before */
            replayed: boolean;
            byteCount: number;
            /** @description Another call would return content now */
            more: boolean;
            /** @description Bytes of the file behind the page */
            pendingBytes: number;
            /** @description Of those, bytes of a character that the end of file cuts */
            heldBytes: number;
            reset: components["schemas"]["Reset"] | null;
            cursor: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description On `text/plain`: `created` */
        "Artifact-Created": boolean;
        /** @description On `text/plain`: `cursor`, where there is one */
        "Artifact-Cursor": string;
        /** @description On `text/plain`: `endByte` */
        "Artifact-End-Byte": number;
        /** @description On `text/plain`: `eof` */
        "Artifact-Eof": boolean;
        /** @description On `text/plain`: `heldBytes` */
        "Artifact-Held-Bytes": number;
        /** @description On `text/plain`: `more` */
        "Artifact-More": boolean;
        /** @description On `text/plain`: `pendingBytes` */
        "Artifact-Pending-Bytes": number;
        /** @description On `text/plain`: `replacements` */
        "Artifact-Replacements": number;
        /** @description On `text/plain`: `replayed` */
        "Artifact-Replayed": boolean;
        /** @description On `text/plain`: `reset`, where there is one, as in `rewritten; from=12` */
        "Artifact-Reset": string;
        /** @description On `text/plain`: `seq` */
        "Artifact-Seq": number;
        /** @description On `text/plain`: `file.size` */
        "Artifact-Size": number;
        /** @description On `text/plain`: `startByte` */
        "Artifact-Start-Byte": number;
        /** @description On `text/plain`: `lines`, `chars`, `bytes` or `tail` */
        "Artifact-Unit": string;
        /** @description `<…>; rel="next"`: the next page, where there is one; relative, as `next` */
        Link: string;
        /** @description Requests a minute that the caller has; absent where the rate is not limited */
        "RateLimit-Limit": number;
        /** @description Of those, how many are left */
        "RateLimit-Remaining": number;
        /** @description Seconds until there are as many again */
        "RateLimit-Reset": number;
        /** @description Seconds after which to try again */
        "Retry-After": number;
        /** @description `Bearer` */
        "WWW-Authenticate": string;
        /** @description The caller's, if it matches `[A-Za-z0-9._-]{1,128}`, else a new one */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    service: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NOT_READY` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read: {
        parameters: {
            query: {
                /** @description A POSIX path relative to the root, or an absolute path beneath it. At most 4,096 bytes and 64 components of at most 255 bytes; no `..`, no NUL, no trailing slash. */
                path: string;
                /** @description By lines: the first line. Default 1 */
                startLine?: number;
                /** @description By lines and around a line: the most lines. Default 200 */
                maxLines?: number;
                /** @description By lines: clip longer lines at this many raw bytes */
                maxLineBytes?: number;
                /** @description By characters: the first. Default 0 */
                offsetChars?: number;
                /** @description By characters: the most. Default 32,768 */
                limitChars?: number;
                /** @description The block of code around this line */
                aroundLine?: number;
                /** @description Around a line: levels of indent to go out; 0: to the margin. Default 0 */
                maxLevels?: number;
                /** @description Around a line: blocks beside it too. Default false */
                includeSiblings?: boolean;
                /** @description Around a line: comments above it too. Default true */
                includeHeader?: boolean;
                /** @description From a `next` link, with `startLine` or `offsetChars`: where the scan for the start may begin */
                at?: string;
                /** @description `text`: the body is the page's text and the metadata is in headers. Without it, `Accept` decides. */
                format?: "json" | "text";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Artifact-Unit": components["headers"]["Artifact-Unit"];
                    "Artifact-Start-Byte": components["headers"]["Artifact-Start-Byte"];
                    "Artifact-End-Byte": components["headers"]["Artifact-End-Byte"];
                    "Artifact-Size": components["headers"]["Artifact-Size"];
                    "Artifact-Eof": components["headers"]["Artifact-Eof"];
                    "Artifact-Replacements": components["headers"]["Artifact-Replacements"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinesPage"] | components["schemas"]["CharactersPage"];
                    "text/plain": string;
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP`, `INVALID_PATH` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PATH_OUTSIDE_ROOT`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `FILE_NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `FILE_CHANGED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NOT_A_FILE`, `READ_LIMIT_EXCEEDED` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `OVERLOADED`, `STORAGE_UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `READ_DEADLINE_EXCEEDED` */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bytes: {
        parameters: {
            query: {
                /** @description A POSIX path relative to the root, or an absolute path beneath it. At most 4,096 bytes and 64 components of at most 255 bytes; no `..`, no NUL, no trailing slash. */
                path: string;
                /** @description The first raw byte. Default 0 */
                offset?: number;
                /** @description Bytes of the window. Default 40960 */
                limit?: number;
                /** @description How to show the bytes. Default utf-8 */
                encoding?: "utf-8" | "utf-16le" | "utf-16be" | "base64" | "hex";
                /** @description `text`: the body is the page's text and the metadata is in headers. Without it, `Accept` decides. */
                format?: "json" | "text";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Artifact-Unit": components["headers"]["Artifact-Unit"];
                    "Artifact-Start-Byte": components["headers"]["Artifact-Start-Byte"];
                    "Artifact-End-Byte": components["headers"]["Artifact-End-Byte"];
                    "Artifact-Size": components["headers"]["Artifact-Size"];
                    "Artifact-Eof": components["headers"]["Artifact-Eof"];
                    "Artifact-Replacements": components["headers"]["Artifact-Replacements"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesPage"];
                    "text/plain": string;
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP`, `INVALID_PATH` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PATH_OUTSIDE_ROOT`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `FILE_NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NOT_A_FILE` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `OVERLOADED`, `STORAGE_UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `READ_DEADLINE_EXCEEDED` */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    peek: {
        parameters: {
            query: {
                /** @description Whose cursor it is */
                run: string;
                /** @description A POSIX path relative to the root, or an absolute path beneath it. At most 4,096 bytes and 64 components of at most 255 bytes; no `..`, no NUL, no trailing slash. */
                path: string;
                /** @description The most bytes of the page, as content and in the file */
                maxBytes?: number;
                /** @description Seconds to wait for news if there are none */
                wait?: number;
                /** @description The producer is done: return what is held as U+FFFD */
                flush?: boolean;
                /** @description Where a new cursor begins */
                from?: "start" | "end";
                /** @description `text`: the body is the page's text and the metadata is in headers. Without it, `Accept` decides. */
                format?: "json" | "text";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Artifact-Unit": components["headers"]["Artifact-Unit"];
                    "Artifact-Start-Byte": components["headers"]["Artifact-Start-Byte"];
                    "Artifact-End-Byte": components["headers"]["Artifact-End-Byte"];
                    "Artifact-Size": components["headers"]["Artifact-Size"];
                    "Artifact-Eof": components["headers"]["Artifact-Eof"];
                    "Artifact-Replacements": components["headers"]["Artifact-Replacements"];
                    "Artifact-Seq": components["headers"]["Artifact-Seq"];
                    "Artifact-Cursor": components["headers"]["Artifact-Cursor"];
                    "Artifact-Created": components["headers"]["Artifact-Created"];
                    "Artifact-Replayed": components["headers"]["Artifact-Replayed"];
                    "Artifact-More": components["headers"]["Artifact-More"];
                    "Artifact-Pending-Bytes": components["headers"]["Artifact-Pending-Bytes"];
                    "Artifact-Held-Bytes": components["headers"]["Artifact-Held-Bytes"];
                    "Artifact-Reset": components["headers"]["Artifact-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TailPage"];
                    "text/plain": string;
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP`, `INVALID_PATH` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PATH_OUTSIDE_ROOT`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `FILE_NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NOT_A_FILE` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `OVERLOADED`, `STORAGE_UNAVAILABLE`, `CURSOR_STORE_UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `READ_DEADLINE_EXCEEDED` */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tail: {
        parameters: {
            query: {
                /** @description Whose cursor it is */
                run: string;
                /** @description A POSIX path relative to the root, or an absolute path beneath it. At most 4,096 bytes and 64 components of at most 255 bytes; no `..`, no NUL, no trailing slash. */
                path: string;
                /** @description The most bytes of the page, as content and in the file */
                maxBytes?: number;
                /** @description Seconds to wait for news if there are none */
                wait?: number;
                /** @description The producer is done: return what is held as U+FFFD */
                flush?: boolean;
                /** @description Where a new cursor begins */
                from?: "start" | "end";
                /** @description `text`: the body is the page's text and the metadata is in headers. Without it, `Accept` decides. */
                format?: "json" | "text";
                /** @description The `cursor` of the last page the caller has, or `0`: none yet. Makes repeating the call safe */
                ack?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Artifact-Unit": components["headers"]["Artifact-Unit"];
                    "Artifact-Start-Byte": components["headers"]["Artifact-Start-Byte"];
                    "Artifact-End-Byte": components["headers"]["Artifact-End-Byte"];
                    "Artifact-Size": components["headers"]["Artifact-Size"];
                    "Artifact-Eof": components["headers"]["Artifact-Eof"];
                    "Artifact-Replacements": components["headers"]["Artifact-Replacements"];
                    "Artifact-Seq": components["headers"]["Artifact-Seq"];
                    "Artifact-Cursor": components["headers"]["Artifact-Cursor"];
                    "Artifact-Created": components["headers"]["Artifact-Created"];
                    "Artifact-Replayed": components["headers"]["Artifact-Replayed"];
                    "Artifact-More": components["headers"]["Artifact-More"];
                    "Artifact-Pending-Bytes": components["headers"]["Artifact-Pending-Bytes"];
                    "Artifact-Held-Bytes": components["headers"]["Artifact-Held-Bytes"];
                    "Artifact-Reset": components["headers"]["Artifact-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TailPage"];
                    "text/plain": string;
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP`, `INVALID_PATH` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PATH_OUTSIDE_ROOT`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `FILE_NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `CURSOR_CONFLICT` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NOT_A_FILE` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `OVERLOADED`, `STORAGE_UNAVAILABLE`, `CURSOR_STORE_UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `READ_DEADLINE_EXCEEDED` */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forget: {
        parameters: {
            query: {
                /** @description Whose cursor it is */
                run: string;
                /** @description A POSIX path relative to the root, or an absolute path beneath it. At most 4,096 bytes and 64 components of at most 255 bytes; no `..`, no NUL, no trailing slash. */
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forgotten"];
                };
            };
            /** @description `INVALID_REQUEST`, `MALFORMED_HTTP`, `INVALID_PATH` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PATH_OUTSIDE_ROOT`, `PERMISSION_DENIED` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MALFORMED_HTTP` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `INTERNAL` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `OVERLOADED`, `CURSOR_STORE_UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
