// Made by `npm run generate` from the contract.

export interface components {
    schemas: {
        /**
         * Format: date-time
         * @description RFC 3339, for instance 2026-11-20T10:00:00Z.
         */
        Instant: string;
        /**
         * @description A chain. Not every deployment has all.
         * @enum {string}
         */
        ChainName: "ethereum" | "polygon" | "bsc" | "base" | "arbitrum" | "optimism" | "solana" | "tron" | "stellar";
        /**
         * @description The symbol of a stablecoin.
         * @enum {string}
         */
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
        /** @description The body of every refusal. */
        Error: {
            /** @description Stable; programs may compare it. */
            error: string;
            /** @description For people. */
            message?: string;
            /** @description Names the request in the logs; the same as the header `X-Request-Id`. */
            requestId: string;
            /** @description The fields of the request that are wrong. */
            fields?: {
                /** @description The field or parameter, as `payouts.0.token`. */
                field: string;
                /** @description What is wrong with it, and what is right; for people. */
                message: string;
                /** @description The same for the same mistake in every operation; more are added, so take others, too. docs/mistakes.md has them. */
                code?: string;
            }[];
            missing?: components["schemas"]["Missing"];
            businesses?: components["schemas"]["BusinessChoices"];
        };
        /** @description Of `business_required`: the businesses that `X-Business-Id` can name. */
        BusinessChoices: {
            /**
             * Format: uuid
             * @description The business's id.
             */
            id: string;
            /** @description The business's name. */
            name: string;
        }[];
        /** @description What a sender lacks of one asset. */
        Missing: {
            /** @description The asset's symbol. */
            symbol: string;
            /** @description `required` less `available`, in whole units. */
            missing: string;
            /** @description What is needed, in whole units. */
            required: string;
            /** @description What there is, in whole units. */
            available: string;
        };
        /** @description In any form that the chain has for it. */
        Address: string;
        /** @description The same as `Error`, by RFC 9457. */
        Problem: {
            /** @description Always `about:blank`: `error` names the problem. */
            type: string;
            /** @description The same as `error`. */
            title: string;
            /** @description The status of the answer. */
            status: number;
            /** @description For people, like the `message` of `Error`. */
            detail?: string;
            /** @description Stable; programs may compare it. */
            error: string;
            /** @description Names the request in the logs; the same as the header `X-Request-Id`. */
            requestId: string;
            /** @description The fields of the request that are wrong. */
            fields?: {
                [key: string]: unknown;
            }[];
            missing?: components["schemas"]["Missing"];
            businesses?: components["schemas"]["BusinessChoices"];
        };
        /** @description There is no credit for the request. */
        CreditError: {
            /**
             * @description The credit does not cover the price.
             * @enum {string}
             */
            error: "insufficient_credit";
            /** @description For people. */
            message?: string;
            /** @description Names the request in the logs; the same as the header `X-Request-Id`. */
            requestId: string;
            /** @description True: the request is kept, and goes on by itself after a top-up. */
            pending: boolean;
            /** @description With `pending`: where its status is. */
            statusUrl?: string;
        };
        /** @description Your name of this request: unique in all your requests. Use a UUID: one that another organisation has used is refused. It stays after an erasure, and is in events: put no personal data in it. */
        RequestId: string;
        /**
         * @description `pending_credit`: it waits for credit. `queued`, `processing`: under way. `completed`: done; a verification: the data are right. `failed`: they are not. `not_found`: no such identity is known. `error`: it could not be made, and is not charged.
         * @enum {string}
         */
        VerificationStatus: "pending_credit" | "queued" | "processing" | "completed" | "failed" | "not_found" | "error";
        /**
         * @description Stable; versions to come may add others.
         * @enum {string}
         */
        ReasonCode: "data_erased" | "document_expired" | "identity_not_found" | "provider_unavailable" | "selfie_mismatch";
        /** @description The data of a person. */
        Person: {
            /** @description The number of the document. */
            idNumber?: string;
            /** @description The given name. */
            firstName?: string;
            /** @description The family name. */
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
        /** @description An identity to check. */
        NewVerification: {
            requestId: components["schemas"]["RequestId"];
            /**
             * @description ISO 3166-1 code
             * @example NG
             */
            country: string;
            /**
             * @description The kind of the document.
             * @example passport
             */
            idType: string;
            /** @description The number of the document. */
            idNumber: string;
            /** @description The given name. */
            firstName?: string;
            /** @description The family name. */
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
        /** @description A request that was taken. */
        VerificationRequested: {
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description Where its status can be read. */
            statusUrl: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
        };
        /** @description How far a verification is. */
        VerificationStatusView: {
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /** @description ISO 3166-1 code of the document's country. */
            country: string;
            /** @description The kind of document that is checked. */
            idType: string;
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its personal data were erased; null: they were not.
             */
            erasedAt: string | null;
        };
        /** @description A verification with its data and files. */
        VerificationResult: {
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /** @description ISO 3166-1 code of the document's country. */
            country: string;
            /** @description The kind of document that is checked. */
            idType: string;
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its personal data were erased; null: they were not.
             */
            erasedAt: string | null;
            /** @description Its files, until they are erased. */
            media: components["schemas"]["Media"][];
            /** @description As it was sent; null: erased. */
            person: components["schemas"]["Person"] | null;
        };
        /** @description A file of a verification. */
        Media: {
            /**
             * Format: uuid
             * @description The file's id.
             */
            id: string;
            /**
             * @description What the file was sent as.
             * @enum {string}
             */
            use: "document" | "selfie";
            type: components["schemas"]["UploadType"];
            /** @description The size of the file, in bytes. */
            bytes: number;
        };
        /** @description A request whose personal data are erased. */
        ErasedRequest: {
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
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
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its personal data were erased; null: they were not.
             */
            erasedAt: string | null;
        };
        /** @description All that is stored about a request. */
        RequestExport: {
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
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
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its personal data were erased; null: they were not.
             */
            erasedAt: string | null;
            /**
             * Format: date-time
             * @description When this was read.
             */
            exportedAt: string;
            /**
             * @description What was requested.
             * @enum {string}
             */
            kind: "verification" | "assessment" | "decision";
            /** @description ISO 3166-1 code of the document's country; null: a request without one. */
            country: string | null;
            /** @description The kind of document; null: a request without one. */
            idType: string | null;
            /** @description The decision or the level of the risk; null without one. */
            answer: string | null;
            /** @description The data as they were sent; null: erased. */
            person: {
                [key: string]: unknown;
            } | null;
            /** @description Its files, until they are erased. */
            media: components["schemas"]["Media"][];
            /** @description What was charged for it, the oldest first. */
            charges: {
                /**
                 * @description `held`: set aside from your credit. `taken`: charged. `returned`: set aside and not charged.
                 * @enum {string}
                 */
                kind: "held" | "taken" | "returned";
                /**
                 * @description In US dollars.
                 * @example 0.25
                 */
                amount: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
            }[];
        };
        /**
         * @description The type of a file, as its content shows.
         * @enum {string}
         */
        UploadType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
        /** @description A file that was taken, and can be named in a request. */
        Upload: {
            /**
             * Format: uuid
             * @description The upload's id.
             */
            id: string;
            type: components["schemas"]["UploadType"];
            /** @description The size of the file, in bytes. */
            bytes: number;
        };
        /** @description The customer whose risk is assessed. */
        NewRiskAssessment: {
            requestId: components["schemas"]["RequestId"];
            /** @description The given name. */
            firstName: string;
            /** @description The family name. */
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
            /** @description The number of the customer's document. */
            idNumber?: string;
            /** @description Your own JSON object, up to 4 kB. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description A risk assessment, or how far it is. */
        RiskAssessment: {
            /**
             * @description The level of the risk; null: not assessed.
             * @enum {string|null}
             */
            riskLevel: "low" | "medium" | "high" | null;
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description Where its status can be read. */
            statusUrl: string;
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its personal data were erased; null: they were not.
             */
            erasedAt: string | null;
        };
        /** @description What is to be decided. */
        NewDecision: {
            requestId: components["schemas"]["RequestId"];
            /**
             * @description What it is about: a payment, or something else that the customer does.
             * @enum {string}
             */
            type: "transaction" | "activity";
            /** @description Your name of the customer or account. */
            subject: string;
            /**
             * @description Of a transaction: how much, in `currency`.
             * @example 125.50
             */
            amount?: string;
            /**
             * @description Of `amount`: an ISO 4217 code or a token.
             * @example USDC
             */
            currency?: string;
        };
        /** @description A decision, or how far it is. */
        Decision: {
            /**
             * @description null: not decided; do not let it happen.
             * @enum {string|null}
             */
            decision: "allow" | "review" | "deny" | null;
            /**
             * Format: uuid
             * @description The request's id here.
             */
            id: string;
            /** @description Your own id of the request. */
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description Where its status can be read. */
            statusUrl: string;
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: components["schemas"]["ReasonCode"];
            /**
             * @description US dollars
             * @example 0.25
             */
            price: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its personal data were erased; null: they were not.
             */
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
                        /** @description The verifications of this page. */
                        verifications: components["schemas"]["VerificationStatusView"][];
                        /** @description Rows of all pages; most lists count no further than 10,000. */
                        total: number;
                        /** @description Which page this is; without meaning beside a `cursor`. */
                        page: number;
                        /** @description Most rows of a page. */
                        limit: number;
                        /** @description How many pages there are. */
                        totalPages: number;
                        /** @description Give it as `cursor` for the next page; null: this is the last one. */
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
                    /**
                     * Format: binary
                     * @description The file. Its content has to fit the type.
                     */
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
                        /**
                         * @description The process answers.
                         * @enum {string}
                         */
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
