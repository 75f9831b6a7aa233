// Made by `npm run generate` from the contract.

export interface components {
    schemas: {
        /**
         * Format: date-time
         * @description RFC 3339, for instance 2026-11-20T10:00:00Z.
         */
        Instant: string;
        /** @enum {string} */
        ChainName: "ethereum" | "polygon" | "bsc" | "base" | "arbitrum" | "optimism" | "solana" | "tron" | "stellar";
        /** @enum {string} */
        TokenSymbol: "USDC" | "USDT";
        /**
         * @description ISO 4217 code
         * @example NGN
         */
        Currency: string;
        /**
         * @description A decimal without sign, exponent or grouping; more than zero.
         * @example 25.5
         */
        Amount: string;
        Error: {
            /** @description Stable; programs may compare it. */
            error: string;
            /** @description For people. */
            message?: string;
            requestId: string;
            /** @description The fields of the request that are wrong. */
            fields?: {
                field: string;
                message: string;
                /** @description The same for the same mistake in every operation; more are added, so take others, too. docs/mistakes.md has them. */
                code?: string;
            }[];
            missing?: components["schemas"]["Missing"];
            businesses?: components["schemas"]["BusinessChoices"];
        };
        /** @description Of `business_required`: the businesses that `X-Business-Id` can name. */
        BusinessChoices: {
            /** Format: uuid */
            id: string;
            name: string;
        }[];
        Missing: {
            symbol: string;
            missing: string;
            required: string;
            available: string;
        };
        /** @description In any form that the chain has for it. */
        Address: string;
        /** @description The same as `Error`, by RFC 9457. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail?: string;
            error: string;
            requestId: string;
            fields?: {
                [key: string]: unknown;
            }[];
            missing?: components["schemas"]["Missing"];
            businesses?: components["schemas"]["BusinessChoices"];
        };
        CreditError: {
            /** @enum {string} */
            error: "insufficient_credit";
            message?: string;
            requestId: string;
            pending: boolean;
            /** @description With `pending`: where its status is. */
            statusUrl?: string;
        };
        /** @description Your name of this request: unique in all your requests. Use a UUID: one that another organisation has used is refused. It stays after an erasure, and is in events: put no personal data in it. */
        RequestId: string;
        /** @enum {string} */
        VerificationStatus: "pending_credit" | "queued" | "processing" | "completed" | "failed" | "not_found" | "error";
        /**
         * @description Stable; versions to come may add others.
         * @enum {string}
         */
        ReasonCode: "data_erased" | "document_expired" | "identity_not_found" | "provider_unavailable" | "selfie_mismatch";
        Person: {
            idNumber?: string;
            firstName?: string;
            lastName?: string;
            /**
             * Format: date
             * @description Date of birth, as 1990-12-31.
             */
            dob?: string;
            /** @description Ids of uploads. */
            documents?: string[];
            /** @description The id of an upload. */
            selfie?: string;
            /** @description Your own JSON object, up to 4 kB. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        NewVerification: {
            requestId: components["schemas"]["RequestId"];
            /**
             * @description ISO 3166-1 code
             * @example NG
             */
            country: string;
            /** @example passport */
            idType: string;
            idNumber: string;
            firstName?: string;
            lastName?: string;
            /**
             * Format: date
             * @description Date of birth, as 1990-12-31.
             */
            dob?: string;
            /** @description Ids of uploads. */
            documents?: string[];
            /** @description The id of an upload. */
            selfie?: string;
            /** @description Your own JSON object, up to 4 kB. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        VerificationRequested: {
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            statusUrl: string;
            /** Format: date-time */
            createdAt: string;
        };
        VerificationStatusView: {
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            country: string;
            idType: string;
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
        };
        VerificationResult: {
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            country: string;
            idType: string;
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
            /** @description Its files, until they are erased. */
            media: components["schemas"]["Media"][];
            /** @description As it was sent; null: erased. */
            person: components["schemas"]["Person"] | null;
        };
        Media: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            use: "document" | "selfie";
            type: components["schemas"]["UploadType"];
            bytes: number;
        };
        ErasedRequest: {
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
        };
        RequestExport: {
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
            /** Format: date-time */
            exportedAt: string;
            /** @enum {string} */
            kind: "verification" | "assessment" | "decision";
            country: string | null;
            idType: string | null;
            /** @description The decision or the level of the risk. */
            answer: string | null;
            /** @description The data as they were sent; null: erased. */
            person: {
                [key: string]: unknown;
            } | null;
            media: components["schemas"]["Media"][];
            charges: {
                /** @enum {string} */
                kind: "held" | "taken" | "returned";
                /** @example 0.25 */
                amount: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        /** @enum {string} */
        UploadType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
        Upload: {
            /** Format: uuid */
            id: string;
            type: components["schemas"]["UploadType"];
            bytes: number;
        };
        NewRiskAssessment: {
            requestId: components["schemas"]["RequestId"];
            firstName: string;
            lastName: string;
            /**
             * Format: date
             * @description Date of birth, as 1990-12-31.
             */
            dob?: string;
            /**
             * @description ISO 3166-1 code
             * @example NG
             */
            country?: string;
            idNumber?: string;
            /** @description Your own JSON object, up to 4 kB. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        RiskAssessment: {
            /** @enum {string|null} */
            riskLevel: "low" | "medium" | "high" | null;
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            statusUrl: string;
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
        };
        NewDecision: {
            requestId: components["schemas"]["RequestId"];
            /** @enum {string} */
            type: "transaction" | "activity";
            /** @description Your name of the customer or account. */
            subject: string;
            /** @example 125.50 */
            amount?: string;
            /** @example USDC */
            currency?: string;
        };
        Decision: {
            /**
             * @description null: not decided; do not let it happen.
             * @enum {string|null}
             */
            decision: "allow" | "review" | "deny" | null;
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            statusUrl: string;
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
        };
    };
    responses: {
        /** @description The request has an error; `fields` names it. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No credential, or one that is unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential may not do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not found, or of another business. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not possible here; `Allow` says what is. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The state does not allow it, or the same request is still running. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is over 100 kB; for operations without a credential, over 8 kB. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nothing was sent: `error` says why, `missing` how much the sender lacks. */
        CannotBeSent: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Well-formed, but not possible as requested. */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This is a WebSocket: connect with `Upgrade: websocket`, version 13. */
        UpgradeRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A limit is reached; `Retry-After` says when to try again. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An internal error. `requestId` helps us find it. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not available now; `Retry-After` says when to try again. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A partner did not answer in time. */
        GatewayTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `insufficient_credit`: your credit does not cover the price. `pending`: it is kept and goes on by itself when you have credit. */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreditError"];
            };
        };
    };
    parameters: {
        /**
         * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
         *     first is still running 409.
         */
        IdempotencyKey: string;
        /** @description Use `cursor` beyond 10,000 rows. */
        Page: number;
        /** @description Most rows of a page. */
        Limit: number;
        /** @description By creation: `DESC` the newest first, `ASC` the oldest first. */
        Sort: "ASC" | "DESC";
        /** @description By creation: `DESC` the newest first, `ASC` the oldest first. */
        OldestFirst: "ASC" | "DESC";
        /** @description Created at this time or later; a date counts from its start. */
        Since: components["schemas"]["Instant"];
        /** @description Created before this time; a date counts to its end. */
        Until: components["schemas"]["Instant"];
        /** @description The `nextCursor` of the page before, of the same list with the same filters and `sort`. */
        Cursor: string;
        /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
        Bom: boolean;
        /** @description The verification. */
        VerificationId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in our logs. Your own is kept if it is valid. */
        RequestId: string;
        /** @description Seconds until the next try. */
        RetryAfter: number;
        /** @description The methods of this path. */
        Allow: string;
        /**
         * @description The rest of the nearest limit, and seconds until it is full again: `"key";r=59;t=31`. Its size and window are in `RateLimit-Policy`:
         *     `"key";q=60;w=60`.
         */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVerification"];
            };
        };
        responses: {
            /** @description It is queued, or was before under the same `requestId`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationRequested"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVerificationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its status, without personal data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationStatusView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVerificationResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVerificationMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
                /** @description The file. */
                mediaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "application/pdf": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVerifications: {
        parameters: {
            query?: {
                /** @description Only in these states. */
                status?: components["schemas"]["VerificationStatus"][];
                /** @description Only of this country. */
                country?: string;
                /** @description Only of this kind of document. */
                idType?: string;
                /** @description Only of this request. */
                requestId?: components["schemas"]["RequestId"];
                /** @description Created at this time or later; a date counts from its start. */
                since?: components["parameters"]["Since"];
                /** @description Created before this time; a date counts to its end. */
                until?: components["parameters"]["Until"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation: `DESC` the newest first, `ASC` the oldest first. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before, of the same list with the same filters and `sort`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of verifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        verifications: components["schemas"]["VerificationStatusView"][];
                        total: number;
                        page: number;
                        limit: number;
                        totalPages: number;
                        nextCursor: string | null;
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestExport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The personal data are gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description It is stored, sealed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRiskAssessment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRiskAssessment"];
            };
        };
        responses: {
            /** @description It is queued, or was before under the same `requestId`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationRequested"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRiskAssessment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The risk assessment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskAssessment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDecision: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDecision"];
            };
        };
        responses: {
            /** @description It is decided, or could not be (`error`, which costs nothing). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description There is no decision yet: read `statusUrl`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The verification. */
                id: components["parameters"]["VerificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVerificationHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
