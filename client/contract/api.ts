// Made by `npm run generate` from the contract.

export interface components {
    schemas: {
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
        PublicKey: {
            kid: string;
            kty: string;
            alg: string;
            use: string;
        };
        /** @example ada@example.com */
        Email: string;
        GivenPassword: string;
        /** @description The six digits of the authenticator, if the account uses one. */
        TotpCode: string;
        /** @description Instead of `totp`; each works once. */
        RecoveryCode: string;
        AccountName: {
            /** Format: uuid */
            id: string;
            email: string;
        };
        /** @enum {string} */
        Approval: "pending" | "approved" | "suspended";
        Quote: {
            /** @description Hand it to create-session to get this price. */
            quoteId: string;
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Amount of the token that the customer sends. */
            amount: string;
            /** @description Null without a currency or a current rate. */
            localAmount: string | null;
            localCurrency: string | null;
            /** @description Units of `localCurrency` for one token. */
            rate: string | null;
            /**
             * Format: date-time
             * @description When the partner observed the rate. A rate older than the deployment allows is never used. Null without a rate.
             */
            rateAt: string | null;
            /** @description The partner whose rate it is: `yellowcard`. Null without a rate: a price in the token alone needs no rate. */
            rateSource: string | null;
            /** @description Deducted from the payout, in `feeCurrency`. */
            fee: string;
            feeCurrency: string;
            /** @description Percent. */
            fxMargin: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @enum {string} */
        MemoType: "text" | "id" | "hash" | "return";
        /** @enum {string} */
        SessionStatus: "pending" | "paid" | "paid_out" | "expired" | "cancelled";
        /**
         * @description The most serious difference from the expected payment. The money is credited to you anyway.
         * @enum {string}
         */
        SessionException: "none" | "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
        CreateSession: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Fiat amount to convert. */
            localAmount?: components["schemas"]["Amount"];
            /** @description Of `localAmount`; your own currency if omitted. */
            localCurrency?: components["schemas"]["Currency"];
            /** @description Amount of the token. */
            amount?: components["schemas"]["Amount"];
            /** @description The price of an earlier quote for the same chain and token, until it expires. */
            quoteId?: string;
            /** @description 600, if it is left out. */
            expirySeconds?: number;
            /** @description Shown to people. */
            label?: string;
            /** @description Your own id; sessions can be listed by it. */
            reference?: string;
            metadata?: components["schemas"]["SessionMetadata"];
            /** @description Where the checkout page links back to once the session is paid, expired or cancelled: an `https` URL whose host is one of your return hosts (Payment settings), without a user name or a port. It is shown as you give it; nothing is added. */
            returnUrl?: string;
        };
        ChangeSession: {
            metadata: components["schemas"]["SessionMetadata"] | null;
        };
        /** @description Your own JSON object, up to 4 kB. */
        SessionMetadata: {
            [key: string]: unknown;
        };
        Session: {
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description Where the customer sends the money. */
            address: string;
            /** @description Only if many sessions share `address` (Stellar): the payment needs it as a memo of `memoType`, otherwise it cannot be assigned to the session. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            /** @description `address` and `memo` in one, for wallets that take this form. */
            muxedAddress?: string;
            token: components["schemas"]["TokenSymbol"];
            /** @description Exact amount of the token to send. */
            amountExpected: string;
            /** @description The amount seen so far, including late money. */
            amountReceived: string;
            /** @description Only where you tolerate that less comes: how much may be missing. It is fixed when the session is created. */
            amountTolerated?: string;
            /** @description Only where the session is paid with less than `amountExpected`, within the tolerance: what is missing. */
            amountShort?: string;
            status: components["schemas"]["SessionStatus"];
            exception: components["schemas"]["SessionException"];
            /** Format: date-time */
            expiresAt: string;
            label: string | null;
            reference: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description Only of a session that a payment link made: its `id`.
             */
            linkId?: string;
            /** @description Only where you gave it. */
            returnUrl?: string;
            localAmount: string | null;
            localCurrency: string | null;
            /** @description Units of `localCurrency` for one token. */
            rate: string | null;
            /**
             * Format: date-time
             * @description When the source observed the rate. Null without a rate, and in sessions from before this field.
             */
            rateAt: string | null;
            /** @description Where the rate is from: `yellowcard`, `openexchangerates`, `fixed` (set by the operator), `parity` (US dollars: a token is one). Null where `rateAt` is. */
            rateSource: string | null;
            /** @description Deducted from the payout, in `feeCurrency`. */
            fee: string;
            feeCurrency: string;
            /** @description Percent. */
            fxMargin: string;
            /** @description For a QR code: EIP-681, Solana Pay or SEP-7; Tron has no standard. */
            paymentUri: string;
            /** @description A page where the customer pays and sees how far the payment is. Who has the URL can see it. Only events from versions before this field lack it. */
            checkoutUrl?: string;
            /** @description Of the least confirmed payment that counts. */
            confirmations: number;
            /** @description How deep a payment's block must be, including itself; used instead if `finality` is `finalized` and no node reports finality. */
            requiredConfirmations: number;
            /**
             * @description `finalized`: the chain must call the payment's block finalized.
             * @enum {string}
             */
            finality: "confirmations" | "finalized";
            payments: components["schemas"]["SessionPayment"][];
            /** @description Only in events: how many of the oldest payments are left out, because a body cannot hold all. */
            paymentsOmitted?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            paidAt: string | null;
            /**
             * @description Only where autopayout was on when the session was paid, and made no payout. `too_small`: nothing would be left after the fee;
             *     `nothing_available`: the money paid a debt of yours, from a payment that the chain took back; `destination_archived`; `token_unavailable`:
             *     the destination's network has no such token. The money stays in your balance.
             * @enum {string}
             */
            payoutSkipped?: "too_small" | "nothing_available" | "destination_archived" | "token_unavailable";
            /**
             * @description What was decided about money that came otherwise than expected (`POST /pos/sessions/{id}/resolve`); null: nothing.
             * @enum {string|null}
             */
            resolution: "accepted" | "left" | null;
            /** @description Refunds that have arrived, in the session's token on its chain. */
            amountRefunded: string;
            held?: components["schemas"]["HeldExcess"];
            /** @description Newest first. */
            refunds: components["schemas"]["SessionRefund"][];
            /** @description Only in events: how many of the oldest refunds are left out. */
            refundsOmitted?: number;
            /**
             * Format: date-time
             * @description Only in the answer to create-session and in `session.created`, if the chain has stopped or is read late: the time of the newest block read. Later payments are seen with a delay.
             */
            delayedSince?: string;
        };
        /** @description Only while more than was asked for waits: how much of the session's token, and until when. You can refund it or accept it; after that time it is yours by itself. Until then it is `pending` in your balance, and no payout takes it. */
        HeldExcess: {
            amount: string;
            /** Format: date-time */
            until: string;
        };
        SessionPayment: {
            /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
            txId: string;
            chain: components["schemas"]["ChainName"];
            /** @description USDC or USDT, or another asset that came instead: the native coin, or a bridged token such as USDC.e. */
            token: string;
            amount: string;
            from: string;
            /** @description The customer's memo, if the payment has one. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            blockHeight: number;
            /** Format: date-time */
            blockTime: string;
            /** @enum {string} */
            status: "seen" | "confirmed" | "reverted";
            /** @enum {string} */
            exception: "none" | "late" | "wrong_token" | "wrong_chain";
            confirmations: number;
            /** @description Null: the chain must call the block finalized. */
            requiredConfirmations: number | null;
        };
        /**
         * @description `used`: as many of its sessions as `maxSessions` are paid, or have a payment under way.
         * @enum {string}
         */
        PaymentLinkStatus: "active" | "disabled" | "expired" | "used";
        PaymentLinkText: string;
        AcceptedChoice: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
        };
        /**
         * @example {
         *       "localAmount": "25000",
         *       "localCurrency": "NGN",
         *       "label": "Invoice 1041",
         *       "maxSessions": 1
         *     }
         */
        CreatePaymentLink: {
            /** @description Amount of the token, whichever is chosen. */
            amount?: components["schemas"]["Amount"];
            /** @description Fiat amount, converted at each choice. */
            localAmount?: components["schemas"]["Amount"];
            /** @description Of `localAmount`; your own currency if omitted. */
            localCurrency?: components["schemas"]["Currency"];
            /** @description The customer names the amount, as for a donation. */
            openAmount?: {
                /** @description What customers name the amount in; the token if omitted. */
                localCurrency?: components["schemas"]["Currency"];
                /** @description The least amount. */
                min?: components["schemas"]["Amount"];
                /** @description The greatest amount. */
                max?: components["schemas"]["Amount"];
            };
            /** @description What the customer may choose from; all that you accept if omitted. What you accept no longer is not offered. */
            accept?: components["schemas"]["AcceptedChoice"][];
            /** @description Shown to people. */
            label?: components["schemas"]["PaymentLinkText"];
            /** @description Your own id, which its sessions have, too. */
            reference?: components["schemas"]["PaymentLinkText"];
            /** @description At most one year from now; in one year if omitted. From then on it makes no session. */
            expiresAt?: components["schemas"]["Instant"];
            /** @description How long each of its sessions waits for its payment; 1800, if it is left out. */
            expirySeconds?: number;
            /** @description How many of its sessions may be paid or under way; 1 for one payment whose customer chooses. Without it there is no limit. Sessions that wait already can be paid beyond it. */
            maxSessions?: number;
        };
        ChangePaymentLink: {
            /** @description Switches it off, or on again. */
            disabled?: boolean;
            label?: components["schemas"]["PaymentLinkText"] | null;
        };
        OpenAmount: {
            /** @description Null: in the token. */
            localCurrency: string | null;
            min: string | null;
            max: string | null;
        };
        PaymentLink: {
            id: string;
            /** @description The page where customers choose. Who has it can pay. */
            url: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description In the token. */
            amount: string | null;
            localAmount: string | null;
            /** @description Of `localAmount`. */
            localCurrency: string | null;
            openAmount: components["schemas"]["OpenAmount"] | null;
            /** @description Null: all that you accept. */
            accept: components["schemas"]["AcceptedChoice"][] | null;
            label: string | null;
            reference: string | null;
            /** Format: date-time */
            expiresAt: string;
            expirySeconds: number;
            maxSessions: number | null;
            /** @description How many it has made. */
            sessions: number;
            /** @description How many of them are paid. */
            paidSessions: number;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        PayableLink: {
            /** @description The name of the business. */
            merchant: string;
            label: string | null;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description In the token, whichever is chosen. */
            amount: string | null;
            localAmount: string | null;
            localCurrency: string | null;
            openAmount: {
                /** @description Null: in the token. */
                localCurrency: string | null;
                /** @description How many the amount may have. */
                decimals: number;
                min: string | null;
                max: string | null;
            } | null;
            /** @description Networks and tokens that take a payment now. */
            choices: components["schemas"]["AcceptedChoice"][];
        };
        Checkout: {
            /** @description The name of the business. */
            merchant: string;
            /** @description The path of the business's logo, if it has one. */
            logo?: string;
            label: string | null;
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            address: string;
            /** @description Only on Stellar. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            muxedAddress?: string;
            amountExpected: string;
            /** @description The amount seen so far, including late money. */
            amountReceived: string;
            /** @description The rest to pay of a pending session; zero once enough was seen. */
            amountMissing: string;
            localAmount: string | null;
            localCurrency: string | null;
            /** @description For a wallet, of the rest to pay. */
            paymentUri: string;
            status: components["schemas"]["SessionStatus"];
            exception: components["schemas"]["SessionException"];
            /** @description The chain took a payment back, and the session is not paid. */
            isReversed: boolean;
            /** @description Of the least confirmed payment, up to `requiredConfirmations`. */
            confirmations: number;
            requiredConfirmations: number;
            /** @enum {string} */
            finality: "confirmations" | "finalized";
            payments: {
                txId: string;
                chain: components["schemas"]["ChainName"];
                token: string;
                amount: string;
                /** Format: date-time */
                blockTime: string;
                /** @enum {string} */
                status: "seen" | "confirmed" | "reverted";
                /** @enum {string} */
                exception: "none" | "late" | "wrong_token" | "wrong_chain";
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            paidAt: string | null;
            /** @description Once the session is paid, expired or cancelled: where its `returnUrl` leads, if the host is still one of the return hosts. */
            returnUrl?: string;
            /**
             * Format: date-time
             * @description If payments on the chain are not seen since then.
             */
            delayedSince?: string;
            /**
             * Format: date-time
             * @description The time of the server.
             */
            now: string;
        };
        /** @description An address of the chain in any of its forms. */
        MonitoredText: string;
        /** @description Your own JSON object, such as the id of an order or a user, up to 4 kB; sent along with every event. */
        MonitoredMetadata: {
            [key: string]: unknown;
        };
        /**
         * @description `known` (the default): the native coin and the tokens that Cowry knows by name. `all`: every token; anyone can make one with any name and
         *     send it.
         * @enum {string}
         */
        MonitoredTokens: "known" | "all";
        /** @description Also report movements in blocks from this height on. */
        FromBlock: number;
        MonitoredAddress: {
            id: string;
            chain: string;
            address: string;
            businessId: string;
            /** @enum {string} */
            tokens: "known" | "all";
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The first block whose movements are reported; null if the chain had not been read yet. */
            fromBlock: number | null;
            /** Format: date-time */
            createdAt: string;
            /** @description In the answer to an addition with `fromBlock`: the import that reads the blocks since. */
            importId?: string;
        };
        OpeningBalance: {
            /** @description The block before `fromBlock`: the balance is that after it. */
            block: number | null;
            native: components["schemas"]["OpeningAmount"] | null;
            /** @description Tokens that Cowry knows; null together with `native`. */
            tokens: {
                contract: string;
                symbol: string;
                decimals: number;
                /** @description Null if the token refused to answer at that block. */
                balance: string | null;
                baseUnits: string | null;
            }[] | null;
            /**
             * @description Why there is no balance. `not_read_yet`: the chain had not been read when the address was added. `no_block_before`: `fromBlock` is 0.
             *     `no_history`: nodes of this chain answer no balance of a past block (solana, tron, stellar). `state_not_kept`: the deployment's nodes
             *     do not keep the state of that block; an archive node does.
             * @enum {string|null}
             */
            reason: "not_read_yet" | "no_block_before" | "no_history" | "state_not_kept" | null;
        };
        OpeningAmount: {
            symbol: string;
            decimals: number;
            balance: string;
            baseUnits: string;
        };
        MonitoredAddresses: {
            added: number;
            /** @description Already monitored; they stay unchanged. */
            existing: number;
            importId: string | null;
            addresses: {
                id: string;
                /** @description In its shown form. */
                address: string;
                created: boolean;
            }[];
        };
        MonitoringAddition: {
            id: string;
            chain: string;
            /**
             * @description `pending`: waiting to be processed. `running`: its addresses are stored, but not monitored yet. `completed`: all are monitored.
             *     `failed`: its addresses are not monitored, and `lastError` says why.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /** @description Addresses of the request. */
            total: number;
            progress: number;
            /** @description How many were not monitored before; null until it is completed. */
            added: number | null;
            /** @description How many were already monitored, and stay unchanged; null until it is completed. */
            existing: number | null;
            /** @description With a `fromBlock`: the import that reads the blocks since. */
            importId: string | null;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        AddedAddress: {
            /** @description Null until the addition is completed. */
            id: string | null;
            /** @description In its shown form. */
            address: string;
            /** @description Whether it was not monitored before; null until the addition is completed. */
            created: boolean | null;
        };
        MonitoringImport: {
            id: string;
            chain: string;
            fromBlock: number;
            /** @description The newest block at the time of the request; later ones are read anyway. */
            toBlock: number;
            /** @description The next block to read. */
            nextBlock: number;
            /** @description How many addresses it was requested for. */
            addresses: number;
            /** @description Movements of your addresses found since the request. */
            found: number;
            /**
             * @description `pending`: another import of yours on the chain is running. `failed`: no node had its blocks; request other blocks. `cancelled`: all
             *     its addresses were removed, or a later import reads them.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            progress: number;
            /** @description Why it is being retried, or why it failed. */
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        /**
         * @description Begins with https:// (on a deployment of test networks also http://) and leads to the internet.
         * @example https://shop.example/webhooks
         */
        EndpointUrl: string;
        /** @description For people. */
        EndpointDescription: string;
        /** @description Event types, or all of a topic as `session.*`; null, the default, or `*` alone: all types, now and later. */
        EndpointTypes: string[] | null;
        /** @description Your own secret for `hmac`: `whsec_` and 24 to 64 bytes in base64, also with `v1,` before it. Left out: Cowry makes one. */
        OwnSecret: string;
        /**
         * @description Headers that every request to the endpoint gets, such as `Authorization`. Their values are stored sealed and never shown again. Names that
         *     Cowry or HTTP sets are refused: `webhook-*`, `content-type`, `user-agent`, `host` and others.
         */
        OwnHeaders: {
            [key: string]: string;
        };
        /** @description Own headers to set, by name; null removes one. Others stay. */
        OwnHeaderChanges: {
            [key: string]: string | null;
        };
        /** @description The largest number of attempts in any second, over all workers; null, the default: no limit. Other deliveries wait. */
        MaxPerSecond: number | null;
        WebhookEndpoint: {
            id: string;
            url: string;
            description: string;
            /** @description Null: all. */
            eventTypes: string[] | null;
            /** @enum {string} */
            signature: "hmac" | "ed25519";
            /** @description For `ed25519`: `whpk_` and the key in base64. */
            publicKey: string | null;
            /** @description While a rotation overlaps, if the previous signature is `ed25519`. */
            previousPublicKey: string | null;
            /**
             * Format: date-time
             * @description Until then webhooks are also signed with the previous secret.
             */
            previousSecretUntil: string | null;
            /** @description Names of its own headers, in lower case. Values are never shown. */
            headerNames: string[];
            /** @description The largest number of attempts in any second; null: no limit. */
            maxPerSecond: number | null;
            /** @enum {string} */
            status: "active" | "paused";
            /**
             * @description `owner`: a member paused it. `failing`: every attempt failed for days. `gone`: it answered 410; events are no longer kept for it.
             * @enum {string|null}
             */
            pausedReason: "owner" | "failing" | "gone" | null;
            /** Format: date-time */
            pausedAt: string | null;
            health: components["schemas"]["EndpointHealth"];
            /** Format: date-time */
            createdAt: string;
        };
        EndpointHealth: {
            /**
             * Format: date-time
             * @description Every attempt since then has failed.
             */
            failingSince: string | null;
            consecutiveFailures: number;
            /** Format: date-time */
            lastDeliveredAt: string | null;
            /** Format: date-time */
            lastFailedAt: string | null;
            lastError: string | null;
            /** @description Deliveries that are still to be made. */
            waiting: number;
            /** @description Event types whose latest attempts failed. Other types may be delivered meanwhile. */
            failingTypes: components["schemas"]["FailingType"][];
        };
        FailingType: {
            type: string;
            /**
             * Format: date-time
             * @description Every attempt of the type since then has failed; null: nothing was attempted.
             */
            failingSince: string | null;
            consecutiveFailures: number;
            /** Format: date-time */
            lastFailedAt: string;
            lastError: string | null;
            /** @description Deliveries of the type given up since its last success. */
            givenUp: number;
        };
        /** @description The fields of all events. */
        EventEnvelope: {
            /** @description The type of the event. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: Record<string, never>;
        };
        /**
         * @description Seen from `address`: money came, went, or was sent by the address to itself.
         * @enum {string}
         */
        MovementDirection: "in" | "out" | "self";
        /** @description Money that came to the address of a session. */
        SessionMovement: {
            /** @description Of the movement as this address sees it; the same from its detection to its end. */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description Of the session, as the API shows it. */
            address: string;
            direction: components["schemas"]["MovementDirection"];
            /** @description USDC or USDT, or another asset that came instead: the native coin, or a bridged token such as USDC.e. */
            symbol: string;
            /** @description The token's contract, mint or `CODE:ISSUER`; null for the native coin. */
            contract: string | null;
            /** @description In whole coins or tokens. */
            amount: string;
            /** @description The same in the smallest units, a whole number. */
            baseUnits: string;
            /** @description How many decimals `amount` can have. */
            decimals: number;
            from: string;
            to: string;
            /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
            txId: string;
            /** @description Identifies the movement within its transaction. */
            movementKey: string;
            /** @description Its memo, if it has one. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            blockHeight: number;
            /** Format: date-time */
            blockTime: string;
            /** @description How deep its block must be, including itself. Null: the chain must call the block finalized. */
            requiredConfirmations: number | null;
            /**
             * @description Of the session's payment.
             * @enum {string}
             */
            exception: "none" | "late" | "wrong_token" | "wrong_chain";
            sessionId: string;
            /** @description The session's reference. */
            reference: string | null;
        };
        /** @description Money that moved to or from a monitored address. */
        MonitoredMovement: {
            /** @description Of the movement as this address sees it; the same from its detection to its end. */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description The monitored address, as the API shows it. */
            address: string;
            direction: components["schemas"]["MovementDirection"];
            /** @description The token's own name for itself, or `UNKNOWN`. Anyone can make a token called USDC: rely on `contract`. */
            symbol: string;
            /** @description The token's contract, mint or `CODE:ISSUER`; null for the native coin. */
            contract: string | null;
            /** @description In whole coins or tokens; in the smallest units if `decimals` is null. */
            amount: string;
            /** @description The same in the smallest units, a whole number. */
            baseUnits: string;
            /** @description How many decimals `amount` can have. Null: the token does not say. */
            decimals: number | null;
            from: string;
            to: string;
            /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
            txId: string;
            /** @description Identifies the movement within its transaction. */
            movementKey: string;
            /** @description Its memo, if it has one. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            blockHeight: number;
            /** Format: date-time */
            blockTime: string;
            /** @description How deep its block must be, including itself. Null: the chain must call the block finalized. */
            requiredConfirmations: number | null;
            monitoredAddressId: string;
            /** @description Your metadata of the monitored address. */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A session as the API answers it, and the late payment. */
        LateSession: {
            id: string;
            chain: components["schemas"]["ChainName"];
            address: string;
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            muxedAddress?: string;
            token: components["schemas"]["TokenSymbol"];
            amountExpected: string;
            amountReceived: string;
            amountTolerated?: string;
            /** Format: uuid */
            linkId?: string;
            returnUrl?: string;
            amountShort?: string;
            status: components["schemas"]["SessionStatus"];
            /** @enum {string} */
            exception: "none" | "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
            /** Format: date-time */
            expiresAt: string;
            label: string | null;
            reference: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            localAmount: string | null;
            localCurrency: string | null;
            rate: string | null;
            /** Format: date-time */
            rateAt: string | null;
            rateSource: string | null;
            fee: string;
            feeCurrency: string;
            fxMargin: string;
            paymentUri: string;
            checkoutUrl?: string;
            confirmations: number;
            requiredConfirmations: number;
            /** @enum {string} */
            finality: "confirmations" | "finalized";
            payments: components["schemas"]["SessionPayment"][];
            paymentsOmitted?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            paidAt: string | null;
            /** @enum {string|null} */
            resolution: "accepted" | "left" | null;
            amountRefunded: string;
            held?: components["schemas"]["HeldExcess"];
            refunds: components["schemas"]["SessionRefund"][];
            refundsOmitted?: number;
            /** @enum {string} */
            payoutSkipped?: "too_small" | "nothing_available" | "destination_archived" | "token_unavailable";
            /**
             * Format: date-time
             * @description Not in events.
             */
            delayedSince?: string;
            payment: components["schemas"]["SessionPayment"];
        };
        /** @description A session as the API answers it, and the refund that has arrived. */
        SessionWithRefund: {
            id: string;
            chain: components["schemas"]["ChainName"];
            address: string;
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            muxedAddress?: string;
            token: components["schemas"]["TokenSymbol"];
            amountExpected: string;
            amountReceived: string;
            amountTolerated?: string;
            /** Format: uuid */
            linkId?: string;
            returnUrl?: string;
            amountShort?: string;
            status: components["schemas"]["SessionStatus"];
            /** @enum {string} */
            exception: "none" | "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
            /** Format: date-time */
            expiresAt: string;
            label: string | null;
            reference: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            localAmount: string | null;
            localCurrency: string | null;
            rate: string | null;
            /** Format: date-time */
            rateAt: string | null;
            rateSource: string | null;
            fee: string;
            feeCurrency: string;
            fxMargin: string;
            paymentUri: string;
            checkoutUrl?: string;
            confirmations: number;
            requiredConfirmations: number;
            /** @enum {string} */
            finality: "confirmations" | "finalized";
            payments: components["schemas"]["SessionPayment"][];
            paymentsOmitted?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            paidAt: string | null;
            /** @enum {string|null} */
            resolution: "accepted" | "left" | null;
            amountRefunded: string;
            held?: components["schemas"]["HeldExcess"];
            refunds: components["schemas"]["SessionRefund"][];
            refundsOmitted?: number;
            /** @enum {string} */
            payoutSkipped?: "too_small" | "nothing_available" | "destination_archived" | "token_unavailable";
            /**
             * Format: date-time
             * @description Not in events.
             */
            delayedSince?: string;
            refund: components["schemas"]["SessionRefund"];
        };
        /** @description A webhook endpoint, and why it was paused. */
        PausedEndpoint: {
            endpoint: {
                id: string;
                description: string;
                /** @description Of its URL. The rest is left out: the path may be a secret. */
                host: string;
            };
            /**
             * @description `failing`: every attempt failed for days. `gone`: it answered 410.
             * @enum {string}
             */
            reason: "failing" | "gone";
            /**
             * Format: date-time
             * @description Every attempt since then has failed.
             */
            failingSince: string | null;
            lastError: string | null;
        };
        /** @description A webhook endpoint that takes events again. */
        RecoveredEndpoint: {
            endpoint: {
                id: string;
                description: string;
                /** @description Of its URL. The rest is left out: the path may be a secret. */
                host: string;
            };
            /**
             * @description Why Cowry had paused it, if this is the first success after that; null if it was not paused.
             * @enum {string|null}
             */
            pausedReason: "failing" | "gone" | null;
            /** @description Event types of an earlier `delivery.failed` that are delivered again. */
            types: string[];
        };
        /** @description Deliveries to one endpoint that were given up since the last event of this type about it. */
        FailedDeliveries: {
            endpoint: {
                id: string;
                description: string;
                /** @description Of its URL. The rest is left out: the path may be a secret. */
                host: string;
            };
            /** @description How many were given up: each delivery is counted in one event. */
            count: number;
            types: {
                /** @description Of the events that were not delivered. */
                type: string;
                count: number;
                lastError: string | null;
                /** @description The last of them. */
                deliveryId: string | null;
            }[];
        };
        /** @description A test event. */
        EndpointTest: {
            /** @description For people. */
            message: string;
            /** @description The endpoint under test. */
            endpointId: string;
        };
        TransactionDetectedEvent: {
            /** @constant */
            type: "transaction.detected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["SessionMovement"] | components["schemas"]["MonitoredMovement"];
        };
        TransactionConfirmedEvent: {
            /** @constant */
            type: "transaction.confirmed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["SessionMovement"] | components["schemas"]["MonitoredMovement"];
        };
        TransactionRevertedEvent: {
            /** @constant */
            type: "transaction.reverted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["SessionMovement"] | components["schemas"]["MonitoredMovement"];
        };
        SessionCreatedEvent: {
            /** @constant */
            type: "session.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionDetectedEvent: {
            /** @constant */
            type: "session.detected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionPaidEvent: {
            /** @constant */
            type: "session.paid";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionPaidOutEvent: {
            /** @constant */
            type: "session.paid_out";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionUnderpaidEvent: {
            /** @constant */
            type: "session.underpaid";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionOverpaidEvent: {
            /** @constant */
            type: "session.overpaid";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionLateEvent: {
            /** @constant */
            type: "session.late";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["LateSession"];
        };
        SessionExpiredEvent: {
            /** @constant */
            type: "session.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionCancelledEvent: {
            /** @constant */
            type: "session.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionReversedEvent: {
            /** @constant */
            type: "session.reversed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Session"];
        };
        SessionRefundedEvent: {
            /** @constant */
            type: "session.refunded";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["SessionWithRefund"];
        };
        TransferConfirmedEvent: {
            /** @constant */
            type: "transfer.confirmed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Transfer"];
        };
        TransferFailedEvent: {
            /** @constant */
            type: "transfer.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Transfer"];
        };
        TransferExpiredEvent: {
            /** @constant */
            type: "transfer.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Transfer"];
        };
        SwapConfirmedEvent: {
            /** @constant */
            type: "swap.confirmed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Swap"];
        };
        SwapFailedEvent: {
            /** @constant */
            type: "swap.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Swap"];
        };
        SwapExpiredEvent: {
            /** @constant */
            type: "swap.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Swap"];
        };
        BridgeInProgressEvent: {
            /** @constant */
            type: "bridge.in_progress";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["BridgeTransfer"];
        };
        BridgeCompletedEvent: {
            /** @constant */
            type: "bridge.completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["BridgeTransfer"];
        };
        BridgeFailedEvent: {
            /** @constant */
            type: "bridge.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["BridgeTransfer"];
        };
        StakeActiveEvent: {
            /** @constant */
            type: "stake.active";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Stake"];
        };
        StakeUnstakingEvent: {
            /** @constant */
            type: "stake.unstaking";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Stake"];
        };
        StakeWithdrawnEvent: {
            /** @constant */
            type: "stake.withdrawn";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Stake"];
        };
        PayoutCreatedEvent: {
            /** @constant */
            type: "payout.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutSentEvent: {
            /** @constant */
            type: "payout.sent";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutCompletedEvent: {
            /** @constant */
            type: "payout.completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutReturnedEvent: {
            /** @constant */
            type: "payout.returned";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutFailedEvent: {
            /** @constant */
            type: "payout.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutCancelledEvent: {
            /** @constant */
            type: "payout.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutUnknownEvent: {
            /** @constant */
            type: "payout.unknown";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        PayoutPriceChangedEvent: {
            /** @constant */
            type: "payout.price_changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        RefundCreatedEvent: {
            /** @constant */
            type: "refund.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundClaimedEvent: {
            /** @constant */
            type: "refund.claimed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundSentEvent: {
            /** @constant */
            type: "refund.sent";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundCompletedEvent: {
            /** @constant */
            type: "refund.completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundFailedEvent: {
            /** @constant */
            type: "refund.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundCancelledEvent: {
            /** @constant */
            type: "refund.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundExpiredEvent: {
            /** @constant */
            type: "refund.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        RefundUnknownEvent: {
            /** @constant */
            type: "refund.unknown";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        CollectionProcessingEvent: {
            /** @constant */
            type: "collection.processing";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Collection"];
        };
        CollectionCompletedEvent: {
            /** @constant */
            type: "collection.completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Collection"];
        };
        CollectionExpiredEvent: {
            /** @constant */
            type: "collection.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Collection"];
        };
        CollectionFailedEvent: {
            /** @constant */
            type: "collection.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Collection"];
        };
        CollectionRefundedEvent: {
            /** @constant */
            type: "collection.refunded";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["Collection"];
        };
        EndpointPausedEvent: {
            /** @constant */
            type: "endpoint.paused";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["PausedEndpoint"];
        };
        EndpointRecoveredEvent: {
            /** @constant */
            type: "endpoint.recovered";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["RecoveredEndpoint"];
        };
        DeliveryFailedEvent: {
            /** @constant */
            type: "delivery.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["FailedDeliveries"];
        };
        LowBalance: {
            /**
             * Format: uuid
             * @description The stored wallet.
             */
            walletId: string;
            name: string | null;
            chain: components["schemas"]["ChainName"];
            address: string;
            /** @description What it can spend of the native coin, in whole coins; on stellar without its reserves. */
            balance: string;
            /** @description The deployment's threshold of the chain, in whole coins. */
            threshold: string;
            /** @description Of the native coin. */
            symbol: string;
        };
        WalletLowBalanceEvent: {
            /** @constant */
            type: "wallet.low_balance";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["LowBalance"];
        };
        EndpointTestEvent: {
            /** @constant */
            type: "endpoint.test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            data: components["schemas"]["EndpointTest"];
        };
        VerificationOutcome: {
            /** Format: uuid */
            id: string;
            /** @description Yours. */
            requestId: string;
            /** @enum {string} */
            status: "completed" | "failed" | "not_found" | "error";
            /** @description Stable; null if it is completed. */
            reasonCode: string | null;
            /** @description US dollars; not charged for `error`. */
            price: string;
        };
        VerificationCompletedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            /** @constant */
            type: "verification.completed";
            data: components["schemas"]["VerificationOutcome"];
        };
        VerificationFailedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            /** @constant */
            type: "verification.failed";
            data: components["schemas"]["VerificationOutcome"];
        };
        VerificationNotFoundEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            /** @constant */
            type: "verification.not_found";
            data: components["schemas"]["VerificationOutcome"];
        };
        VerificationErrorEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description Of the body's form. Fields and values are added without a new version.
             * @constant
             */
            version: 1;
            /** @description The number of this event among all of your business: 1, 2, 3, … without a gap. */
            sequence: number;
            /** @constant */
            type: "verification.error";
            data: components["schemas"]["VerificationOutcome"];
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /**
         * Format: date-time
         * @description RFC 3339, for instance 2026-11-20T10:00:00Z.
         */
        Instant: string;
        WebhookDelivery: {
            id: string;
            /** @description The `webhook-id` header of every attempt. */
            eventId: string;
            /** @description Null while the business has no endpoint. The first one also gets the events of the 24 hours before. */
            endpointId: string | null;
            type: string;
            /** @description Empty if the event is about no chain. */
            chain: string;
            address: string;
            symbol: string;
            amount: string;
            /** @description Null if the event is about no single transaction. */
            txId: string | null;
            status: components["schemas"]["DeliveryStatus"];
            attemptsCount: number;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the operator erased its payload; its subject and the receiver's answers are then empty, and it cannot be replayed.
             */
            erasedAt: string | null;
        };
        WebhookDeliveryDetails: {
            id: string;
            /** @description The `webhook-id` header of every attempt. */
            eventId: string;
            /** @description Null while the business has no endpoint. The first one also gets the events of the 24 hours before. */
            endpointId: string | null;
            type: string;
            /** @description Empty if the event is about no chain. */
            chain: string;
            address: string;
            symbol: string;
            amount: string;
            /** @description Null if the event is about no single transaction. */
            txId: string | null;
            status: components["schemas"]["DeliveryStatus"];
            attemptsCount: number;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the operator erased its payload; its subject and the receiver's answers are then empty, and it cannot be replayed.
             */
            erasedAt: string | null;
            /**
             * Format: date-time
             * @description The earliest time, while it is pending; null if there is no attempt to come, or its endpoint is paused.
             */
            nextAttemptAt: string | null;
            event: components["schemas"]["EventRecord"];
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            durationMs: number | null;
            responseStatus: number | null;
            /** @description Its first 4 kB. */
            responseBody: string | null;
            /** @description Why it was not delivered. */
            error: string | null;
        };
        EventRecord: {
            /** @description The `webhook-id` header of its deliveries. */
            id: string;
            type: string;
            /** Format: date-time */
            timestamp: string;
            version: number;
            /** @description Of the business, without a gap. */
            sequence: number;
            /** @description By type: see the webhooks of this document. Empty if it was erased. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the operator erased `data`.
             */
            erasedAt: string | null;
        };
        /** @description Amounts up to `upTo` are credited after this many confirmations. */
        EarlyFinality: {
            upTo: components["schemas"]["Amount"];
            confirmations: number;
        };
        Explanation: {
            chain: components["schemas"]["ChainName"];
            txId: string;
            /**
             * @description `credited`, and `late`, `wrong_token`, `wrong_chain` for money that differs from the session; `not_final`: seen, and waiting;
             *     `not_read`: in a block that Cowry has not read, or read without it; `zero_value`; `failed`; `pending`: not in a block yet;
             *     `not_watched`: not to or from your addresses; `not_found`; `other_chain`; `reverted`: a fork removed it; `no_movement`: it moves
             *     nothing.
             * @enum {string}
             */
            outcome: "credited" | "late" | "wrong_token" | "wrong_chain" | "not_final" | "not_read" | "zero_value" | "failed" | "pending" | "not_watched" | "not_found" | "other_chain" | "reverted" | "no_movement";
            /** @description For people. */
            message: string;
            block: {
                height: number;
                id: string;
                /** Format: date-time */
                time: string;
                /** @description Counted from the newest block that Cowry has read. */
                confirmations: number;
            } | null;
            /** @description The newest block that Cowry has read. */
            indexedHeight: number | null;
            /** @description The chain that has the transaction, where `outcome` is `other_chain`. */
            otherChain: string | null;
            /** @description Those to your addresses first; a hundred at most. */
            movements: components["schemas"]["ExplainedMovement"][];
            movementsTotal: number;
        };
        ExplainedMovement: {
            /** @description Names the movement within its transaction: `log:n`, `native`, `trace:path`, `withdrawal:n` of a block, or `call` for the intended effect of a pending or failed transaction. */
            movementKey: string;
            /** @description A call within a contract moved the native coin. */
            internal: boolean;
            /** @description Null for an unknown token. */
            token: string | null;
            /** @description Null for the native coin. */
            contract: string | null;
            from: string;
            to: string;
            /** @description In whole tokens; null for an unknown token. */
            amount: string | null;
            baseUnits: string;
            /** @enum {string} */
            outcome: "credited" | "late" | "wrong_token" | "wrong_chain" | "not_final" | "not_read" | "zero_value" | "failed" | "pending" | "not_watched";
            message: string;
            confirmations: number;
            /** @description Null: the chain must call the block finalized, or the movement is not recorded. */
            requiredConfirmations: number | null;
            /** @description Your session with this address. */
            session: {
                id: string;
                status: components["schemas"]["SessionStatus"];
                chain: components["schemas"]["ChainName"];
                token: components["schemas"]["TokenSymbol"];
                reference: string | null;
            } | null;
        };
        /** @enum {string} */
        LedgerAccountName: "pending" | "available" | "receivable" | "payouts_held" | "stakes" | "credit" | "credit_held";
        /** @enum {string} */
        LedgerEntryKind: "deposit.pending" | "deposit.credited" | "deposit.corrected" | "deposit.reverted" | "suspense.given" | "receivable.opened" | "payout.reserved" | "payout.posted" | "payout.released" | "payout.returned" | "refund.reserved" | "refund.posted" | "refund.released" | "refund.returned" | "exchange" | "penalty" | "adjustment" | "stake.posted" | "stake.unstaked" | "stake.reversed" | "stake_withdrawal.posted" | "stake_withdrawal.corrected" | "stake_withdrawal.reversed" | "verification.held" | "verification.taken" | "verification.returned";
        /** @description In whole units of the asset. */
        LedgerAmount: string;
        Balance: {
            asset: string;
            /** @description Null for `USD`. */
            chain: string | null;
            token: string;
            symbol: string;
            /** @description Of the asset on its chain. */
            decimals: number;
            pending: components["schemas"]["LedgerAmount"];
            available: components["schemas"]["LedgerAmount"];
            receivable: components["schemas"]["LedgerAmount"];
            payoutsHeld: components["schemas"]["LedgerAmount"];
            stakes: components["schemas"]["LedgerAmount"];
            credit: components["schemas"]["LedgerAmount"];
            creditHeld: components["schemas"]["LedgerAmount"];
        };
        BalanceTotal: {
            /** @description What is available, pending, held and staked, less what you owe. */
            amount: string;
            /** @description Of the business; USD where it has none. */
            currency: string;
            /** @description Units of the currency for one US dollar; null for USD. */
            rate: string | null;
            /** Format: date-time */
            rateAt: string | null;
            /** @description Assets without a price: not in it. */
            without: string[];
        };
        FiatAmount: {
            amount: components["schemas"]["LedgerAmount"];
            /** @description Of the bank; or the token, where it went to a wallet. */
            currency: string;
        };
        LedgerPart: {
            /** @enum {string} */
            part: "fee" | "margin" | "rounding" | "paid";
            amount: components["schemas"]["LedgerAmount"];
            fiat: components["schemas"]["FiatAmount"] | null;
        };
        LedgerPosting: {
            account: components["schemas"]["LedgerAccountName"];
            asset: string;
            symbol: string;
            decimals: number;
            /** @description The change of the account's balance, in whole units: negative where it shrinks. */
            amount: string;
            /** @description Where money left, or came back: what `amount` consists of. Their sum is `amount`. */
            parts: components["schemas"]["LedgerPart"][];
        };
        LedgerEntry: {
            /** Format: uuid */
            id: string;
            kind: string;
            /** @description What it was posted for, as `session_payment`. */
            cause: string;
            /** @description The id of the cause. */
            reference: string;
            /**
             * Format: uuid
             * @description Of the payment session that the payment or refund belongs to.
             */
            sessionId: string | null;
            /** @description Of an adjustment: the reason that the platform's operator gave. */
            description: string | null;
            /**
             * Format: uuid
             * @description The entry that this one takes back.
             */
            reverses: string | null;
            /** @description The closed month, as `2026-11`, that it corrects: what it takes back was posted there. */
            corrects: string | null;
            /** @description The `reference` that you gave the session, payout or refund. */
            merchantReference: string | null;
            /** @description Of the payment, payout or refund on its chain. */
            transaction: {
                chain: string;
                txId: string;
                /** @description In a block explorer; null where none is known. */
                url: string | null;
            } | null;
            /** @description What the payment was worth at the rate of its session, or what the bank gets. */
            fiat: {
                amount: string;
                currency: string;
                /** @description Units of the currency for one token. */
                rate: string;
            } | null;
            /** @description The bank or address that money went to. */
            payee: string | null;
            /** Format: date-time */
            createdAt: string;
            postings: components["schemas"]["LedgerPosting"][];
        };
        LedgerStatement: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /**
             * Format: date-time
             * @description No entry from before this time is added any more. A statement is final if it is not before `to`.
             */
            finalUntil: string;
            accounts: {
                account: components["schemas"]["LedgerAccountName"];
                asset: string;
                symbol: string;
                decimals: number;
                opening: components["schemas"]["LedgerAmount"];
                movements: {
                    kind: string;
                    entries: number;
                    amount: components["schemas"]["LedgerAmount"];
                }[];
                closing: components["schemas"]["LedgerAmount"];
            }[];
            lines: {
                /** @description `received`, `fee`, `margin`, `rounding`, `to_bank`, `to_wallet`, `refunded`; of anything else the kind of its entries. */
                line: string;
                asset: string;
                symbol: string;
                decimals: number;
                entries: number;
                amount: components["schemas"]["LedgerAmount"];
                fiat: components["schemas"]["FiatAmount"] | null;
            }[];
        };
        /** @description EVM: `0x` and 64 hex digits. Solana: base58 of 64 bytes, or solana-keygen's array. Tron: 64 hex digits. Stellar: `S…`. */
        PrivateKey: string;
        /** @description A BIP-39 phrase of 12, 15, 18, 21 or 24 English words. */
        Mnemonic: string;
        /**
         * @description By default the first account of the chain's wallets. On Solana and Stellar every step is hardened.
         * @example m/44'/60'/0'/0/0
         */
        DerivationPath: string;
        /** @description Shown to people. */
        WalletName: string;
        GeneratedWallet: {
            address: string;
            /** @description Secret. In the form that the chain's own wallets import. */
            privateKey: string;
            publicKey: string;
            /** @description Secret. */
            mnemonic: string;
            derivationPath: string;
            /** @description Stellar only: an id that separates deposits to one account. */
            memo?: string;
            /**
             * @description Only with `memo`.
             * @enum {string}
             */
            memoType?: "text" | "id" | "hash";
        };
        WalletBalance: {
            chain: components["schemas"]["ChainName"];
            address: string;
            balances: {
                native: {
                    symbol: string;
                    /** @description In whole coins. */
                    balance: string;
                    decimals: number;
                };
                tokens: {
                    address: string;
                    /** @description As the token names itself. */
                    symbol: string | null;
                    /** @description In whole tokens; null if it cannot be read. */
                    balance: string | null;
                    decimals: number | null;
                    /** @description The balance in base units, if it can be read. */
                    baseUnits?: string;
                    /** @description In whole tokens: what one transfer can send, where that is less than the balance. On solana a transfer draws on 17 accounts at most, and on none that is frozen, or that has a delegate and is not the associated one. */
                    sendable?: string;
                    /**
                     * @description Only if something is wrong with the token. `not_a_token`: there is no token; `unreadable`: reading it fails; `no_decimals`:
                     *     a balance without a unit; `bad_symbol`: only its name cannot be shown.
                     * @enum {string}
                     */
                    problem?: "not_a_token" | "unreadable" | "no_decimals" | "bad_symbol";
                }[];
            };
            /** Format: date-time */
            lastUpdated: string;
        };
        Wallet: {
            id: string;
            chain: components["schemas"]["ChainName"];
            address: string;
            publicKey: string;
            name: string | null;
            /** @description Null if a private key was stored. */
            derivationPath: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            archivedAt: string | null;
        };
        /**
         * @description `native`, if it is left out.
         * @enum {string}
         */
        TransferToken: "native" | "usdc" | "usdt";
        /** @description Stellar only, and required there for USDC and USDT unless `toAddress` is a muxed one (`M…`). */
        TransferMemo: string;
        /**
         * @description Stellar only; `text`, if it is left out.
         * @enum {string}
         */
        TransferMemoType: "text" | "id" | "hash";
        /** @description EVM only: wei per unit of gas, including the base fee; the transaction is then not replaced by one with a higher fee. */
        GasPrice: string;
        /** @description EVM only. */
        GasLimit: string;
        /**
         * @description USDC and USDT on Stellar only: what happens while the recipient cannot hold the token. `wait`: it waits; `claimable`: it becomes a claimable balance.
         * @enum {string}
         */
        IfNoTrustline: "wait" | "claimable";
        /** @enum {string} */
        TransferStatus: "pending" | "confirmed" | "failed";
        Transfer: {
            /** @description Stays the same when the hash changes. */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @enum {string} */
            token: "native" | "usdc" | "usdt";
            symbol: string;
            amount: string;
            fromAddress: string;
            toAddress: string;
            memo?: string;
            /** @enum {string} */
            memoType?: "text" | "id" | "hash";
            /** @description The stored wallet of the sender. */
            walletId: string | null;
            /** @description Of the transaction in a block, otherwise of the latest one sent; null until one is signed. A transaction that waits too long is replaced by one with a higher fee. */
            txHash: string | null;
            status: components["schemas"]["TransferStatus"];
            /**
             * @description Why it failed. `reverted`: it is in a block but failed there; `refused`: no node accepted it; `expired`, `sequence_used`: it can no
             *     longer be mined, because it has expired or another transaction of the address used its nonce; `policy`; `given_up`: the operator ended
             *     it after restoring a backup, when it may have been sent before, or while it was held;
             *     `cancelled`: its business, or its `validUntil`, cancelled it, and it was not mined; `approval_refused`,
             *     `approval_expired`: a second member refused it, or did not approve it in time; `approval_void`: the member who requested or approved
             *     it has lost the right to; or one of the `error`s that refuse a transfer. For a `pending` one, `held`: it is not signed or sent while
             *     the operator holds it, or the business is suspended; `cancelling`: it was cancelled, and may still be mined; `waiting_for_trustline`:
             *     the recipient cannot hold the token yet; `fee_too_high`: the network asks for more than is allowed, and it is sent when the price falls.
             */
            reason: string | null;
            /** @description The same in words, if available. */
            message: string | null;
            /** @description What the recipient got, by the chain's records, once it is confirmed: less than `amount` where the token keeps a fee. Left out while that is not known, and of a claimable balance. */
            amountReceived?: string;
            /** @description What the token kept of `amount`, with `amountReceived`. */
            tokenFee?: string;
            /** @description EVM only, once it is known. */
            gasUsed?: string;
            /** @description In `feeCurrency`, once it is known. */
            fee: string | null;
            feeCurrency: string;
            blockHeight: number | null;
            approval?: components["schemas"]["TransferApproval"];
            ifNoTrustline?: components["schemas"]["IfNoTrustline"];
            /**
             * Format: date-time
             * @description Only with `ifNoTrustline` `wait`: when the waiting ends.
             */
            waitUntil?: string;
            /** @description If it was signed as a claimable balance: its id, as Horizon and Stellar's libraries write it (72 hex digits). It changes with `txHash`. */
            claimableBalanceId?: string;
            /**
             * Format: date-time
             * @description Only if it has a deadline, past which it is cancelled.
             */
            validUntil?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Only if a second member has to approve the transfer. Until then its `status` is `pending` and nothing is signed. */
        TransferApproval: {
            required: boolean;
            needs?: components["schemas"]["ApprovalNeeds"];
            /**
             * @description `expired`: no decision was made in time, or before the transfer ended in another way.
             * @enum {string}
             */
            state: "waiting" | "approved" | "refused" | "expired";
            /**
             * Format: date-time
             * @description It can be approved until then; later it fails.
             */
            expiresAt: string;
            /** Format: date-time */
            decidedAt: string | null;
        };
        TransferFee: {
            expected: string;
            /** @description The maximum. */
            most: string;
            /** @description Further costs, in addition to fee and amount: rent of an account that it opens, the fee for a new account. */
            besides: string;
            currency: string;
        };
        TransferEstimate: {
            chain: components["schemas"]["ChainName"];
            symbol: string;
            amount: string;
            fee: components["schemas"]["TransferFee"];
            /** @description Whether the sender can pay for all of it, including the maximum fee. */
            sufficient: boolean;
            missing: components["schemas"]["Missing"][];
            /** @description The basis of the fee; its fields depend on the chain family. */
            terms: Record<string, never>;
        };
        PreparedTransfer: {
            /** @description The transfer's id, once it is submitted. */
            id: string;
            chain: components["schemas"]["ChainName"];
            fromAddress: string;
            /** @description EVM: the serialised EIP-1559 transaction. Solana: the transaction with empty signatures. Tron: java-tron's JSON. Stellar: the envelope's XDR. */
            payload: string;
            /** @enum {string} */
            encoding: "hex" | "base64" | "json";
            /** @description The bytes to sign, in hex: a digest, on Solana the whole message. */
            signing: string;
            fee: components["schemas"]["TransferFee"];
            /** Format: date-time */
            expiresAt: string;
        };
        /** @enum {string} */
        SwapStatus: "pending" | "confirmed" | "failed" | "expired";
        Swap: {
            /** @description Stays the same when a hash changes. */
            id: string;
            status: components["schemas"]["SwapStatus"];
            /** @description Whether a node took the transaction that swaps. `false` with `pending`: a worker continues; never send it again. */
            success: boolean;
            /** @description Of the transaction that swaps: the one in a block, otherwise the latest one sent. */
            txHash: string | null;
            /** @description EVM: of the transaction that allows the provider's contract to take `sellAmount`; null if none was needed, or if it ended before it was sent. */
            approvalTxHash: string | null;
            /** @description All its transactions in the order of their nonces; the last one swaps. */
            steps: components["schemas"]["SwapStep"][];
            /** @enum {string} */
            provider: "0x" | "jupiter";
            chain: components["schemas"]["ChainName"];
            /** @description Its contract or mint; `native` for the coin of the chain. */
            sellToken: string;
            /** @description As the token names itself, which may be anything; null if it has no name. */
            sellSymbol: string | null;
            /** @description In whole units. */
            sellAmount: string;
            buyToken: string;
            buySymbol: string | null;
            /** @description As quoted; once it is confirmed, what the recipient got, where the chain reports it. */
            buyAmount: string;
            /** @description The chain enforces it: `buyAmount` as quoted less `slippageBps`, rounded down. */
            minBuyAmount: string;
            /** @description What the recipient got, by the chain's records, once it is confirmed. Left out while that is not known: always for the coin of an EVM chain. */
            amountReceived?: string;
            slippageBps: number;
            fromAddress: string;
            toAddress: string;
            /** @description What was left allowed to the provider's contract when the swap failed or expired, in whole units of `sellToken`: its approval is in the network, or in a block. It is not updated: only `fromAddress` can use it, and its next swap does. */
            allowanceLeft: string | null;
            /** @description EVM: of all its transactions in blocks. */
            gasUsed: string | null;
            /** @description Of all its transactions in blocks, in whole units of the coin; null until one is known. */
            fee: string | null;
            feeCurrency: string;
            /** @description Solana: what opening token accounts costs at most, in whole units of the coin, on top of `fee`, as forecast. Null once it failed or expired. */
            rent: string | null;
            blockHeight: number | null;
            /**
             * @description Why it failed or expired. `reverted`: it is in a block but failed there, for instance because it would have brought less than
             *     `minBuyAmount`; `step_failed`: its approval failed, so it was not sent; `stopped`: it could not be sent within ten minutes, so it was not
             *     sent; `refused`: no node accepted it; `expired`, `sequence_used`: it can no longer be mined, because it has expired or another
             *     transaction of the address used its nonce. It swapped nothing. For a `pending` one, `held`: it is not sent while the business is
             *     suspended.
             */
            reason: string | null;
            /** @description The same in words, if available. */
            message: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SwapStep: {
            /**
             * @description `reset_allowance` sets the allowance of the provider's contract to zero, for tokens that change it only from zero; `approve` allows
             *     `sellAmount`; `swap` swaps.
             * @enum {string}
             */
            type: "reset_allowance" | "approve" | "swap";
            status: components["schemas"]["SwapStatus"];
            /** @description The one in a block, otherwise the latest one signed, which may not be sent yet; null if it ended before it was signed. */
            txHash: string | null;
        };
        /**
         * @description The token's contract or mint address; `native` for the coin of the chain. 0x's placeholder `0xEeee…EEeE`, and wrapped SOL on solana, mean the
         *     coin too.
         * @example native
         */
        SwapToken: string;
        SwapQuote: {
            /** @enum {string} */
            provider: "0x" | "jupiter";
            /**
             * @description The provider's answer, with its own further fields, without what could be executed. Numbers that JSON numbers cannot hold exactly are
             *     strings. Amounts are in base units.
             * @example {
             *       "sellToken": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
             *       "buyToken": "0xdac17f958d2ee523a2206206994597c13d831ec7",
             *       "sellAmount": "100000000",
             *       "buyAmount": "99962000",
             *       "minBuyAmount": "99462190",
             *       "price": "0.99962",
             *       "estimatedGas": "288079"
             *     }
             */
            data: {
                /** @description As the provider writes it: the coin is 0x's placeholder, or wrapped SOL. */
                sellToken: string;
                buyToken: string;
                sellAmount: string;
                buyAmount: string;
                /** @description The least that a swap at this price brings. */
                minBuyAmount: string;
                /** @description Whole units of `buyToken` for one of `sellToken`: 18 significant digits, rounded down. */
                price: string;
                /** @description EVM chains only, and only where the provider has an estimate. */
                estimatedGas?: string;
            } & {
                [key: string]: unknown;
            };
        };
        BridgeRequest: {
            sourceChain: components["schemas"]["ChainName"];
            destinationChain: components["schemas"]["ChainName"];
            amount: components["schemas"]["Amount"];
            sourceAddress: components["schemas"]["Address"];
            destinationAddress: components["schemas"]["Address"];
            /** @description Circle mints by itself, for a fee; without it this platform does. Either way the transfer completes by itself. */
            automatic?: boolean;
            speed?: components["schemas"]["BridgeSpeed"];
            /** @description In USDC: 422 `fee_too_high` if Circle may keep more. */
            maxFee?: string;
        };
        /** @enum {string} */
        BridgeStatus: "pending" | "in_progress" | "completed" | "failed";
        /**
         * @description `fast` costs a fee and exists on some routes.
         * @enum {string}
         */
        BridgeSpeed: "standard" | "fast";
        /**
         * @example {
         *       "id": "01a1fb43-8319-7507-be96-5d17af33f1dc",
         *       "sourceChain": "base",
         *       "destinationChain": "polygon",
         *       "status": "completed",
         *       "amount": "250",
         *       "sourceAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
         *       "destinationAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "sourceTxHash": "0x88c13625e6f0a529a0335ca1abef7082ba6b09d0cb3693908db99ca28cfc6189",
         *       "destinationTxHash": "0x1f6d4b0f5c8b7b0f6f3b6a8f8f0e6c0d7a9b1c2d3e4f5061728394a5b6c7d8e9",
         *       "errorMessage": null,
         *       "speed": "fast",
         *       "executedSpeed": "fast",
         *       "automatic": false,
         *       "maxFee": "0.039",
         *       "fee": "0.0325",
         *       "amountReceived": "249.9675",
         *       "delay": null,
         *       "createdAt": "2026-11-20T23:21:08.120Z",
         *       "updatedAt": "2026-11-20T23:21:41.184Z"
         *     }
         */
        BridgeTransfer: {
            /** Format: uuid */
            id: string;
            sourceChain: components["schemas"]["ChainName"];
            destinationChain: components["schemas"]["ChainName"];
            /**
             * @description `pending` until the burn is confirmed, `in_progress` until the mint is. `failed` only if nothing was burnt.
             * @enum {string}
             */
            status: "pending" | "in_progress" | "completed" | "failed";
            /** @description In USDC. */
            amount: string;
            sourceAddress: string;
            destinationAddress: string;
            /** @description Of the burn, from its broadcast on. Until it is confirmed, another fee may give it another hash. */
            sourceTxHash: string | null;
            /** @description Of the mint; null until it is confirmed. */
            destinationTxHash: string | null;
            /** @description Null unless it failed. */
            errorMessage: string | null;
            /** @enum {string} */
            speed: "standard" | "fast";
            /** @description `fast` or `standard`, as Circle signed it; null before. */
            executedSpeed: string | null;
            automatic: boolean;
            /** @description The maximum of `fee`. */
            maxFee: string;
            /** @description In USDC, kept by Circle at the mint; null until it is known. */
            fee: string | null;
            /** @description `amount` less `fee`; null until it is minted. */
            amountReceived: string | null;
            /** @description Why a transfer that is not over takes longer than usual; null if nothing keeps it. `awaiting_approval`: a second owner has to approve it. Or Circle's word, such as `insufficient_fee`, or one of `burn_unsettled`, `burn_unknown`, `circle_unavailable`, `expired`, `unexpected_message`, `mint_refused`, `mint_not_found`, `mint_not_signed`, `treasury_gas_low`, `fee_too_high`, `sending_paused`, `chain_unavailable`, `destination_not_configured`, `treasury_not_started`. Others may follow. */
            delay: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        BridgeEstimate: {
            sourceChain: components["schemas"]["ChainName"];
            destinationChain: components["schemas"]["ChainName"];
            amount: string;
            /** @enum {string} */
            speed: "standard" | "fast";
            automatic: boolean;
            /** @description What Circle keeps now, in USDC. */
            fee: string;
            /** @description What Circle may keep if its fees rise meanwhile. */
            maxFee: string;
            /** @description `amount` less `maxFee`. */
            minReceived: string;
            fastAvailable: boolean;
            /** @description Until burn and mint are usually confirmed by our own nodes. */
            usualSeconds: number;
            /** @description Of the wallet at `sourceChain`, in its native coin. The mint costs it nothing. */
            networkCosts: {
                expected: string;
                max: string;
                currency: string;
            };
        };
        /** @enum {string} */
        StakeStatus: "active" | "unstaking" | "withdrawn";
        /**
         * @description `pooled`: held by the platform. `native`: by the chain itself.
         * @enum {string}
         */
        StakingPlanType: "pooled" | "native";
        StakingPlan: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string;
            type: components["schemas"]["StakingPlanType"];
            chain: components["schemas"]["ChainName"];
            /** @description A symbol, as USDC or SOL. */
            token: string;
            /** @description Simple rewards of a year, in percent: 5.5 means 5.5 %. */
            apy: number;
            /** @description Days from its creation until a stake can be unstaked without a penalty. */
            lockDays: number;
            /** @description Of the unstaked amount, before `lockedUntil`. */
            penaltyPercent: number;
            minAmount: string;
            maxAmount: string;
            /** @description It takes new stakes. */
            isActive: boolean;
        };
        Stake: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            planId: string;
            type: components["schemas"]["StakingPlanType"];
            chain: components["schemas"]["ChainName"];
            token: string;
            /** @description In whole units. */
            amount: string;
            status: components["schemas"]["StakeStatus"];
            /** @description Up to now; fixed from `unstakedAt` on. Native stakes: what the chain had paid at the last look, until it is withdrawn. */
            rewards: string;
            /** @description It was paid without its rewards, which follow by themselves. */
            rewardsPending: boolean;
            /** @description Null while it is active. */
            penalty: string | null;
            /** @description `amount` less `penalty`; null while it is active. */
            netAmount: string | null;
            /**
             * Format: date-time
             * @description `createdAt` and the `lockDays` of the plan at that time.
             */
            lockedUntil: string;
            /** @description The address that staked, which it is paid back to. */
            fromAddress: string;
            validator: string | null;
            /** @description Native stakes: what the stake account holds on top of `amount`; comes back with the withdrawal. */
            rent: string | null;
            /**
             * @description Native stakes: on the chain, at the last look. `inactive` can be withdrawn.
             * @enum {string|null}
             */
            chainState: "undelegated" | "activating" | "active" | "deactivating" | "inactive" | null;
            /**
             * Format: date-time
             * @description From then on it can be withdrawn; native stakes: an estimate. Null while it is active.
             */
            withdrawableAt: string | null;
            /** @description Of the transaction that staked. */
            txHash: string | null;
            /**
             * @description Of the transaction that staked.
             * @enum {string}
             */
            transactionStatus: "pending" | "confirmed" | "failed" | "expired";
            /** @description Of the transactions that pay the withdrawal, oldest first: two, if the rewards followed later. Empty until the first is signed. */
            withdrawalTxHashes: string[];
            /** @description Why nothing was staked, as for a transfer. Of the rest of a native stake: why it was not split. */
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the confirming block: it earns from then on.
             */
            confirmedAt: string | null;
            /** Format: date-time */
            unstakedAt: string | null;
            /** Format: date-time */
            withdrawnAt: string | null;
        };
        Unstaked: {
            /**
             * Format: uuid
             * @description Of the part that leaves.
             */
            id: string;
            /** @enum {string} */
            status: "unstaking";
            unstakedAmount: string;
            /** @description `0` from `lockedUntil` on. */
            penalty: string;
            /** @description `unstakedAmount` less `penalty`. */
            netAmount: string;
            rewards: string;
            /**
             * Format: date-time
             * @description Native stakes: an estimate.
             */
            withdrawableAt: string;
            /**
             * Format: uuid
             * @description The stake that goes on; null if nothing is left.
             */
            remainingStakeId: string | null;
            /** @description Native stakes: of the transaction that deactivates it. */
            txHash: string | null;
        };
        StakeWithdrawal: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["StakeStatus"];
            /** @description The net amount. */
            amount: string;
            rewards: string;
            /** @description Of the payment; null until it is signed. */
            txHash: string | null;
        };
        /** @description The part of the link after `#`. */
        RefundClaimToken: string;
        /**
         * @description How its amount was given.
         * @enum {string}
         */
        RefundKind: "whole" | "excess" | "rest" | "amount";
        RefundableAsset: {
            chain: components["schemas"]["ChainName"];
            token: string;
            /** @description What came, less what was refunded or is on its way back. */
            amount: string;
            /** @description The part of it that what is held of the session and your `available` cover now. A refund of more is 422 `insufficient_funds`. */
            amountNow: string;
        };
        /**
         * @description `awaiting_claim`: your customer has to name an address. `awaiting_approval`: a second owner has to approve it. `pending`: nothing has left.
         *     `processing`: it may have left. `unknown`: the chain gives no answer yet. The last three are ends; a fork can turn `completed` into `failed`.
         * @enum {string}
         */
        RefundStatus: "awaiting_claim" | "awaiting_approval" | "pending" | "processing" | "unknown" | "completed" | "failed" | "cancelled";
        /** @enum {string} */
        RefundMemoType: "text" | "id" | "hash";
        /** @description USDC or USDT, or another asset that came instead: the native coin, or a bridged token such as USDC.e. The session's if omitted. */
        RefundedToken: string;
        Refund: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            sessionId: string;
            kind: components["schemas"]["RefundKind"];
            status: components["schemas"]["RefundStatus"];
            amount: string;
            token: string;
            chain: components["schemas"]["ChainName"];
            /** @description Null until your customer has named one. */
            toAddress: string | null;
            memo: string | null;
            memoType: string | null;
            /** @description Of a refund whose address your customer names; otherwise null. */
            claim: {
                /** @enum {string} */
                status: "waiting" | "claimed" | "expired" | "cancelled";
                /** Format: date-time */
                expiresAt: string;
            } | null;
            /** @description Only in the answer to its creation with `claim`: the link for your customer. It works once; anyone who has it can name the address. */
            claimUrl?: string;
            /** @description Of wallets: what the address got, by the chain's records, once it is completed. Less than `amount` where the token keeps a fee. */
            amountReceived?: string;
            /** @description What the token kept of `amount`, with `amountReceived`. */
            tokenFee?: string;
            /** @description What the network took, of its coin; the platform pays it. Null until it is known. */
            networkCost: {
                amount: string;
                token: string;
            } | null;
            txHash: string | null;
            /** @description Why it waits or has ended, as a stable code. `independent_owner_missing`: no owner of the business may approve it. */
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        /** @description A refund in short. */
        SessionRefund: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["RefundKind"];
            status: components["schemas"]["RefundStatus"];
            amount: string;
            token: string;
            chain: components["schemas"]["ChainName"];
            txHash: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        /**
         * @description `awaiting_approval`: a second owner has to approve it. `pending`: nothing has left yet. `processing`: it may have left. `unknown`: only the chain
         *     or the partner can say; it is asked again, and nothing is sent twice. A `completed` one becomes `failed` only if a fork of the chain takes it back,
         *     and `returned` if the bank does: what was sent is available again, without the fee.
         * @enum {string}
         */
        PayoutStatus: "awaiting_approval" | "pending" | "processing" | "completed" | "returned" | "failed" | "cancelled" | "unknown";
        /** @description Counts the changes of the payout. */
        PayoutRevision: number;
        /** @description Your own JSON object, up to 4 kB. */
        PayoutMetadata: {
            [key: string]: unknown;
        };
        PayoutSource: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
        };
        Payout: {
            id: string;
            status: components["schemas"]["PayoutStatus"];
            revision: components["schemas"]["PayoutRevision"];
            /** @description What is taken from your balance, fee included, in the token of `source`. */
            amount: string;
            source: components["schemas"]["PayoutSource"];
            destination: components["schemas"]["PaidDestination"];
            /** @description In `feeCurrency`; null until a payout is priced. */
            fee: string | null;
            /** @description The currency of a bank account; the token for a wallet. */
            feeCurrency: string;
            /** @description Of bank payouts: units of the currency for one token. */
            rate: string | null;
            /** @description What the destination gets, in `receiveCurrency`; null until a payout is priced. */
            receiveAmount: string | null;
            receiveCurrency: string;
            /**
             * Format: date-time
             * @description Of bank payouts: when the price was decided. An old one is renewed before the payout leaves.
             */
            pricedAt: string | null;
            /** @description Of wallets: what the address got, by the chain's records, once it is completed. Less than `receiveAmount` where the token keeps a fee. */
            amountReceived?: string;
            /** @description What the token kept of `receiveAmount`, with `amountReceived`. */
            tokenFee?: string;
            /** @description What the network took, in the chain's native coin; null until it is known. The platform pays it. */
            networkCost: {
                amount: string;
                token: string;
            } | null;
            /** @description The session whose payment is paid out, of an automatic payout. */
            sessionId: string | null;
            /** @description Made when its session was paid. */
            automatic: boolean;
            /** @description Of the transaction to a wallet. A transaction that waits too long is replaced, by another hash. */
            txHash: string | null;
            /** @description Of bank payouts: the partner's id, once it is known. */
            partnerPaymentId: string | null;
            /** @description The partner's own word. */
            partnerPaymentStatus: string | null;
            /** @description The proof of a payout that was marked as paid elsewhere. */
            paidElsewhere: string | null;
            /**
             * @description Why it waits or has failed. While `pending`: `held` (the operator has suspended the business, or has not approved it yet), `cooling_off`,
             *     `destination_approval`, `payout_limit`, `daily_limit`, `key_limit`, `price_changed` (its price was renewed and has to be confirmed), `outgoing_paused`,
             *     `payment_reversed`, `screening`, and others of chain and partner. Of `failed`:
             *     `approval_refused`, `approval_expired`, `approval_void`, `destination_archived`, `destination_not_approved`, `screening_denied`, and others. Of `cancelled`:
             *     `paid_elsewhere`, and others. `left_before_restore` of `unknown`: the partner has it from before a restore. Codes are added over
             *     time.
             */
            reason: string | null;
            reference: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Null if none is needed. */
            approval: {
                id: string;
                needs?: components["schemas"]["ApprovalNeeds"];
                /**
                 * @description `expired`: no decision was made in time, or before the payout ended in another way.
                 * @enum {string}
                 */
                state: "waiting" | "approved" | "refused" | "expired";
                /** Format: date-time */
                expiresAt: string;
                /** Format: date-time */
                decidedAt: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        /**
         * @description What a waiting approval needs. `owner`: the decision of an owner who is independent of the request: did not make it, nor the key that did, and
         *     did not bring in or promote the member behind it, nor anybody between. `independent_owner`: the business has no such owner, so it waits for one
         *     to join. Null once it no longer waits.
         * @enum {string|null}
         */
        ApprovalNeeds: "owner" | "independent_owner" | null;
        PaidDestination: {
            id: string;
            kind: components["schemas"]["DestinationKind"];
            name: string | null;
            /** @description This and the next five: of a bank account; null for a wallet. */
            networkId: string | null;
            bankName: string | null;
            /** @description Of the bank, as ISO 3166 has it. */
            country: string | null;
            /** @description ISO 4217 code. */
            currency: string | null;
            /**
             * @description Masked: its last four characters, fewer of a short one.
             * @example ****6789
             */
            accountNumber: string | null;
            /** @description Null in events, which are stored unsealed. */
            accountName: string | null;
            /** @description This and the next three: of a wallet; null for a bank account. */
            chain: string | null;
            address: string | null;
            memo: string | null;
            /** @enum {string|null} */
            memoType: "text" | "id" | "hash" | null;
        };
        /** @enum {string} */
        DestinationKind: "bank" | "wallet";
        /**
         * @description `awaiting_approval`: a second owner has to approve it. `cooling_off`: payouts may go there from `usableFrom` on.
         * @enum {string}
         */
        DestinationStatus: "awaiting_approval" | "cooling_off" | "usable" | "archived";
        /** @description Shown to people. */
        DestinationName: string;
        /** @enum {string} */
        DestinationMemoType: "text" | "id" | "hash";
        PayoutDestination: {
            id: string;
            kind: components["schemas"]["DestinationKind"];
            status: components["schemas"]["DestinationStatus"];
            name: string | null;
            /** @description This and the next five: of a bank account; null for a wallet. */
            networkId: string | null;
            bankName: string | null;
            /** @description Of the bank, as ISO 3166 has it. */
            country: string | null;
            /** @description ISO 4217 code. */
            currency: string | null;
            /**
             * @description Masked: its last four characters, fewer of a short one.
             * @example ****6789
             */
            accountNumber: string | null;
            accountName: string | null;
            /** @description This and the next three: of a wallet; null for a bank account. */
            chain: string | null;
            address: string | null;
            memo: string | null;
            /** @enum {string|null} */
            memoType: "text" | "id" | "hash" | null;
            /** Format: date-time */
            usableFrom: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            archivedAt: string | null;
        };
        /**
         * @description `pending`: not taken by the partner yet. `processing`: the partner waits for the customer's money, or settles it. `completed`: the partner has
         *     settled it. `expired`: the customer did not pay in time. `failed`: it will not be settled; `reason` says why. `refunded`: the customer's money
         *     went back. `completed` and `refunded` are final; a late payment can still complete or refund the other two.
         * @enum {string}
         */
        CollectionStatus: "pending" | "processing" | "completed" | "expired" | "failed" | "refunded";
        /**
         * @description What the chain has of the settlement: nothing yet; a transfer that is not confirmed; a confirmed one; or too little, another token or memo,
         *     nothing in time, or an amount that the partner has not named. `reason` of a mismatch is `settlement_too_little`, `settlement_other_token`,
         *     `settlement_other_memo`, `settlement_missing` or `settlement_unknown_amount`.
         * @enum {string}
         */
        CollectionSettlement: "none" | "seen" | "confirmed" | "mismatch";
        CollectionText: string;
        /** @description The customer who pays. Stored sealed. */
        CollectionRecipient: {
            name: string;
            /** @description ISO 3166-1, two letters. */
            country: string;
            /**
             * @description E.164.
             * @example +2348012345678
             */
            phone: string;
            address: string;
            /**
             * @description Date of birth.
             * @example 1990-01-31
             */
            dob: string;
            email: string;
            idNumber: string;
            /** @description In the partner's words. */
            idType: string;
            /** @description With `additionalIdNumber`; both are needed in Nigeria. */
            additionalIdType?: string;
            /** @description A second document. */
            additionalIdNumber?: string;
        };
        /** @description The account that the customer pays from. `momo` needs `networkId` and `accountNumber`. Stored sealed. */
        CollectionSource: {
            /** @enum {string} */
            accountType: "bank" | "momo";
            networkId?: string;
            accountNumber?: string;
        };
        CollectionItem: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            businessId: string;
            status: components["schemas"]["CollectionStatus"];
            /** @description A stable code: why it failed, or what it waits for. Codes are added over time. */
            reason: string | null;
            amount: string;
            currency: string;
            country: string;
            walletAddress: string;
            cryptoCurrency: string;
            cryptoNetwork: string;
            /** @description What the wallet gets, as the partner wrote it. */
            cryptoAmount: string | null;
            /** @description This and the next two: where the customer pays to. Null until the partner has named it. */
            bankName: string | null;
            bankAccountNumber: string | null;
            bankAccountName: string | null;
            /** @description Units of the currency for a dollar, as the partner wrote it. */
            rate: string | null;
            settlement: components["schemas"]["CollectionSettlement"];
            /** @description Of the settlement on the chain. */
            txId: string | null;
            reference: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Collection: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            businessId: string;
            status: components["schemas"]["CollectionStatus"];
            /** @description A stable code: why it failed, or what it waits for. Codes are added over time. */
            reason: string | null;
            amount: string;
            currency: string;
            country: string;
            walletAddress: string;
            cryptoCurrency: string;
            cryptoNetwork: string;
            /** @description What the wallet gets, as the partner wrote it. */
            cryptoAmount: string | null;
            /** @description This and the next two: where the customer pays to. Null until the partner has named it. */
            bankName: string | null;
            bankAccountNumber: string | null;
            bankAccountName: string | null;
            /** @description Units of the currency for a dollar, as the partner wrote it. */
            rate: string | null;
            settlement: components["schemas"]["CollectionSettlement"];
            /** @description Of the settlement on the chain. */
            txId: string | null;
            reference: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The partner's id. */
            partnerPaymentId: string | null;
            /** @description The partner's own word. */
            partnerPaymentStatus: string | null;
            partnerReference: string | null;
            /** @description As the partner wrote it. */
            networkFeeUsd: string | null;
            /** @description As the partner wrote it. */
            serviceFeeUsd: string | null;
            /** @description In `currency`, as the partner wrote it. */
            convertedAmount: string | null;
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        Role: "owner" | "developer" | "viewer" | "cashier";
        NewPassword: string;
        PersonName: string;
        BusinessName: string;
        /** @description ISO 4217 code, for instance NGN; null: no currency. */
        LocalCurrency: string | null;
        /** @description IANA name of the time zone of its days and months, for instance Africa/Lagos. */
        TimeZone: string;
        /**
         * @description 0 to less than 100, up to six decimals.
         * @example 1.5
         */
        Percent: string;
        Nothing: {
            /** @enum {boolean} */
            ok: true;
        };
        InvitationToken: string;
        Me: {
            account: {
                /** Format: uuid */
                id: string;
                email: string;
                name: string;
                /** @description Whether an authenticator is set up. */
                totp: boolean;
                /** @description How many passkeys the account has. */
                passkeys: number;
                recoveryCodesLeft: number;
                /** @description Whether the account operates the platform. */
                operator: boolean;
                /** @description Whether a link that was only mailed to the address was used. */
                emailProven: boolean;
                /** @description Access tokens write for it if a request names no business. Null: no default. */
                defaultBusinessId: string | null;
                /** Format: date-time */
                createdAt: string;
            };
            businesses: {
                /** Format: uuid */
                id: string;
                name: string;
                role: components["schemas"]["Role"];
                approval: components["schemas"]["Approval"];
            }[];
            /** @description Whether the platform sends mail. */
            mail: boolean;
        };
        PasskeyName: string;
        /** @description In base64url, without padding. */
        PasskeyBytes: string;
        /** @description The credential's id, in base64url. */
        PasskeyId: string;
        PasskeyTransports: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];
        Passkey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        /** @description The result of `navigator.credentials.create` (WebAuthn, 5.2.1). */
        NewPasskey: {
            id: components["schemas"]["PasskeyId"];
            clientDataJSON: components["schemas"]["PasskeyBytes"];
            attestationObject: components["schemas"]["PasskeyBytes"];
            transports: components["schemas"]["PasskeyTransports"];
        };
        /** @description The result of `navigator.credentials.get` (WebAuthn, 5.2.2), instead of `totp`, once. */
        PasskeyAnswer: {
            id: components["schemas"]["PasskeyId"];
            clientDataJSON: components["schemas"]["PasskeyBytes"];
            authenticatorData: components["schemas"]["PasskeyBytes"];
            signature: components["schemas"]["PasskeyBytes"];
        };
        PasskeyDescriptors: {
            id: string;
            /** @enum {string} */
            type: "public-key";
            transports: components["schemas"]["PasskeyTransports"];
        }[];
        /** @description `PublicKeyCredentialRequestOptionsJSON` (WebAuthn, 5.1.10). */
        PasskeyRequest: {
            challenge: string;
            rpId: string;
            timeout: number;
            allowCredentials: components["schemas"]["PasskeyDescriptors"];
            /** @enum {string} */
            userVerification: "preferred";
        };
        /** @description `PublicKeyCredentialCreationOptionsJSON` (WebAuthn, 5.1.9). */
        PasskeyCreation: {
            challenge: string;
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            pubKeyCredParams: {
                /** @enum {string} */
                type: "public-key";
                alg: number;
            }[];
            timeout: number;
            excludeCredentials: components["schemas"]["PasskeyDescriptors"];
            authenticatorSelection: {
                /** @enum {string} */
                residentKey: "discouraged";
                /** @enum {string} */
                userVerification: "preferred";
            };
            /** @enum {string} */
            attestation: "none";
        };
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        SignIn: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "dashboard" | "token";
            /** @description Whether it is the session of this request. */
            current: boolean;
            address: string;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        InvitationSeen: {
            /**
             * @description `reset`: sets a new password. `prove`: proves the address.
             * @enum {string}
             */
            purpose: "member" | "operator" | "reset" | "prove";
            email: string;
            /** @description Null if it is for no business. */
            role: components["schemas"]["Role"] | null;
            businessName: string | null;
            invitedBy: string | null;
            /** @description Only the mailbox got the link: using it proves the address. */
            isMailed: boolean;
            /** @description For a reset: memberships that it ends, because the address was not proven when they began. */
            ends: {
                businessName: string;
                role: components["schemas"]["Role"];
            }[];
            /** @description The address has an account: sign in, then join. */
            hasAccount: boolean;
            /** Format: date-time */
            expiresAt: string;
        };
        Business: {
            /** Format: uuid */
            id: string;
            name: string;
            localCurrency: components["schemas"]["LocalCurrency"];
            timeZone: components["schemas"]["TimeZone"];
            approval: components["schemas"]["Approval"];
            /** @description The operator's reason. */
            approvalReason: string | null;
            /** @description Owners, and developers who change something, may act only after two-step sign-in. */
            ownersNeedSecondFactor: boolean;
            /**
             * Format: date-time
             * @description When that ends; null: not at all.
             */
            secondFactorUntil?: string | null;
            waitingApproval?: components["schemas"]["WaitingChange"];
            /** Format: date-time */
            createdAt: string;
        };
        Member: {
            /** Format: uuid */
            accountId: string;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            /** @description Whether they use a second factor. */
            secondFactor: boolean;
            /** Format: date-time */
            joinedAt: string;
        };
        WaitingMember: {
            /** Format: uuid */
            accountId: string;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            secondFactor: boolean;
            /** Format: date-time */
            joinedAt: string;
            approval: components["schemas"]["WaitingChange"];
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            invitedBy: string | null;
            /** @description The state of its mail; null: the link was handed over. */
            mail: ("waiting" | "sent" | "failed") | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /**
         * @description `mail`: only the mailbox gets the link. The default if the platform sends mail.
         * @enum {string}
         */
        Delivery: "mail" | "link";
        /** @description Null: it was mailed. */
        ShownToken: components["schemas"]["InvitationToken"] | null;
        /**
         * @description `read`: only reads. `write`: also changes and sends.
         * @enum {string}
         */
        Scope: "read" | "write";
        /** @enum {string} */
        KeyState: "active" | "expired" | "revoked";
        KeyName: string;
        /** @description Networks that the key may be used from; null: any. */
        AllowedAddresses: string[] | null;
        /** @description Null: the business's limit. */
        RequestsPerMinute: number | null;
        /** @description The key's permissions; null: all that its scope allows, except those reserved to owners, which have to be named. Later versions add only permissions to read. */
        KeyPermissions: string[] | null;
        /**
         * Format: date-time
         * @description In the future; null: never.
         */
        KeyExpiry: string | null;
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            scope: components["schemas"]["Scope"];
            state: components["schemas"]["KeyState"];
            allowedAddresses: string[] | null;
            requestsPerMinute: number | null;
            permissions: string[] | null;
            /** @description Permissions to write if `permissions` is null. */
            writePermissions: string[];
            /**
             * Format: date-time
             * @description When it last sent from a stored wallet before this needed a permission; null once an owner has decided.
             */
            sentFromWalletsAt: string | null;
            /**
             * Format: date-time
             * @description Until then it may name addresses of refunds without `refunds:address`; null if it was made later, or an owner has decided.
             */
            refundAddressUntil: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The account's email address; null if it was made with the deployment. */
            createdBy: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Updated some seconds after the use.
             */
            lastUsedAt: string | null;
            lastUsedAddress: string | null;
            /** @description The id of the key that replaced it in a rotation. */
            replacedBy: string | null;
        };
        NewApiKey: {
            key: components["schemas"]["ApiKey"];
            /** @description The key itself. It cannot be shown again. */
            secret: string;
        };
        /** @example https://shop.example */
        WebOrigin: string;
        /**
         * @description `publishable`: for browsers; it starts verifications and reads their status.
         * @enum {string}
         */
        VerificationKeyKind: "secret" | "publishable";
        VerificationKey: {
            /** Format: uuid */
            id: string;
            name: string;
            kind: components["schemas"]["VerificationKeyKind"];
            /** @description The first characters of the key. */
            prefix: string;
            /** @description Web sites that may use it in a browser. */
            origins: string[];
            state: components["schemas"]["KeyState"];
            /** Format: date-time */
            createdAt: string;
            /** @description The account's email address; null if it was made with the deployment. */
            createdBy: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            lastUsedAddress: string | null;
            /** @description The id of the key that replaced it in a rotation. */
            replacedBy: string | null;
        };
        NewVerificationKey: {
            key: components["schemas"]["VerificationKey"];
            /** @description The key itself. It cannot be shown again. */
            secret: string;
        };
        /** @description In whole units, as `12.5`; null: no limit. */
        LimitAmount: string | null;
        AmountLimit: {
            chain: components["schemas"]["ChainName"];
            /** @enum {string} */
            token: "native" | "usdc" | "usdt";
            perTransfer: components["schemas"]["LimitAmount"];
            perDay: components["schemas"]["LimitAmount"];
            approvalAbove: components["schemas"]["LimitAmount"];
        };
        SendDestination: {
            chain: components["schemas"]["ChainName"];
            address: string;
            /** @description For receivers on stellar that are identified by memo: only transfers with this memo are sent. Left out: any memo, or no memo. */
            memo?: string;
            /**
             * @description Of the memo; default: text.
             * @enum {string}
             */
            memoType?: "text" | "id" | "hash";
        };
        AmountLimits: components["schemas"]["AmountLimit"][] | null;
        SendDestinations: components["schemas"]["SendDestination"][] | null;
        SendLimits: {
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
        };
        /** @description Limits that allow more and apply later; null without any. */
        NextLimits: {
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
            /** Format: date-time */
            from: string;
        } | null;
        CurrentLimits: {
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
            next: components["schemas"]["NextLimits"];
        };
        WaitingLimits: {
            next: components["schemas"]["NextLimits"];
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
            approval: components["schemas"]["WaitingChange"];
        };
        WaitingChange: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "waiting";
            /** Format: date-time */
            expiresAt: string;
        };
        Senders: {
            keys: {
                next: components["schemas"]["NextLimits"];
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
                amounts: components["schemas"]["AmountLimits"];
                destinations: components["schemas"]["SendDestinations"];
            }[];
            wallets: {
                next: components["schemas"]["NextLimits"];
                /** Format: uuid */
                id: string;
                name: string | null;
                chain: components["schemas"]["ChainName"];
                address: string;
                amounts: components["schemas"]["AmountLimits"];
                destinations: components["schemas"]["SendDestinations"];
            }[];
        };
        SendApprovals: {
            approvals: components["schemas"]["SendApproval"][];
            total: number;
            page: number;
            limit: number;
            totalPages: number;
            nextCursor: string | null;
        };
        SendApproval: {
            /** Format: uuid */
            id: string;
            /**
             * @description `limits`: higher limits of a wallet or key. `setting`: another setting that protects less. `owner`: another owner.
             * @enum {string}
             */
            subject: "transfer" | "bridge-burn" | "payout" | "destination" | "limits" | "setting" | "owner";
            /**
             * @description `expired`: no decision was made in time, or before the transfer ended in another way.
             * @enum {string}
             */
            state: "waiting" | "approved" | "refused" | "expired";
            /** @description An email address, or the beginning of a key and its name. */
            askedBy: string;
            /** @description You are not independent of it: you asked for it, made the key that did, or brought in or promoted a member behind it. */
            own: boolean;
            needs: components["schemas"]["ApprovalNeeds"];
            /** Format: date-time */
            askedAt: string;
            /** Format: date-time */
            expiresAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            transfer: {
                /** Format: uuid */
                id: string;
                chain: components["schemas"]["ChainName"];
                symbol: string;
                amount: string;
                fromAddress: string;
                toAddress: string;
                memo?: string;
                /** @enum {string} */
                status: "pending" | "confirmed" | "failed";
                reason: string | null;
            } | null;
            /** @description Of the subject `bridge-burn`. */
            bridge?: {
                /** Format: uuid */
                id: string;
                sourceChain: components["schemas"]["ChainName"];
                destinationChain: components["schemas"]["ChainName"];
                /** @description In USDC. */
                amount: string;
                sourceAddress: string;
                destinationAddress: string;
                /** @enum {string} */
                status: "pending" | "in_progress" | "completed" | "failed";
            };
            payout?: components["schemas"]["Payout"];
            /** @description Its subject is `payout`, too. */
            refund?: {
                /** Format: uuid */
                id: string;
                status: string;
                revision: components["schemas"]["PayoutRevision"];
                chain: components["schemas"]["ChainName"];
                token: string;
                amount: string;
                toAddress: string | null;
                memo: string | null;
                sessionId: string | null;
                reason: string | null;
                /** Format: date-time */
                createdAt: string;
            };
            destination?: components["schemas"]["PayoutDestination"];
            /** @description The fields that change: of the payout settings; targets of autopayout, by `<chain>:<token>`; or `ownersNeedSecondFactor`. */
            setting?: {
                /** @enum {string} */
                name: "payout_settings" | "autopayout" | "second_factor";
                before: {
                    [key: string]: unknown;
                };
                after: {
                    [key: string]: unknown;
                };
            };
            limits?: {
                /** @enum {string} */
                kind: "wallet" | "key";
                /** Format: uuid */
                id: string;
                name: string | null;
                before: components["schemas"]["SendLimits"];
                after: components["schemas"]["SendLimits"];
            };
            owner?: {
                /** Format: uuid */
                accountId: string;
                email: string;
            };
        };
        Overview: {
            /** Format: date-time */
            at: string;
            /** @description The business's; USD where it has none. */
            currency: string;
            /** @description IANA name of the zone of the days. */
            timeZone: string;
            /** @description Payments that were paid: today, and in the last 7 and 30 days with today. */
            taken: {
                today: components["schemas"]["Taken"];
                last7Days: components["schemas"]["Taken"];
                last30Days: components["schemas"]["Taken"];
            };
            /** @description The last 30 days with today, the oldest first. */
            days: {
                /** Format: date */
                date: string;
                /** @description In `currency`. */
                amount: string;
                payments: number;
                /** @description The same by network and token; without those that were not taken. */
                assets: components["schemas"]["TakenAsset"][];
            }[];
            /** @description What was taken in 30 days and has no price now. */
            unpriced: components["schemas"]["UnpricedAmount"][];
            /** @description Sessions that ended in these 30 days. */
            sessions: {
                paid: number;
                /** @description Expired or cancelled. */
                unpaid: number;
            };
            /** @description Median time from the moment a payment was seen until its session was paid, of the last 500 that were paid in 30 days; null: none was. */
            confirmSeconds: string | null;
            balances: {
                /** @description `available`, `pending` and what is held or staked, less what is owed; in `currency`. */
                total: string;
                available: string;
                pending: string;
                unpriced: components["schemas"]["UnpricedAmount"][];
            };
            needs: components["schemas"]["OverviewNeeds"];
            /** @description The newest event of the business: a stream of events may go on after it. */
            latestEvent: number;
        };
        Taken: {
            /** @description In `currency`. */
            amount: string;
            payments: number;
        };
        TakenAsset: {
            chain: string;
            token: string;
            /** @description In whole tokens. */
            tokens: string;
            /** @description In `currency`; null: it has no price. */
            amount: string | null;
            payments: number;
        };
        UnpricedAmount: {
            /** @description Null: on no network. */
            chain: string | null;
            token: string;
            /** @description In whole tokens. */
            amount: string;
        };
        /** @description What waits for a person, or does not work. */
        OverviewNeeds: {
            /** @description Sessions with money that did not come as expected, and that wait for a decision. */
            decisions: {
                /** @description At most 100. */
                count: number;
                isMore: boolean;
                /** @description At most three. */
                newest: {
                    /** Format: uuid */
                    id: string;
                    reference: string | null;
                    chain: string;
                    token: string;
                    amountReceived: string;
                    /** @enum {string} */
                    exception: "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
                }[];
            };
            /** @description Approvals that wait for an owner. */
            approvals: number;
            failingEndpoints: {
                /** Format: uuid */
                id: string;
                url: string;
                /**
                 * @description `paused`: by Cowry, because it failed or is gone.
                 * @enum {string}
                 */
                status: "failing" | "paused";
            }[];
            /** @description Networks whose newest blocks were not read yet. */
            delayedChains: {
                chain: string;
                /**
                 * Format: date-time
                 * @description Payments since then are not seen yet.
                 */
                since: string;
            }[];
            /** @description Networks where the treasury has too little of the native coin; null: only operators of the platform see it. */
            lowGas: {
                chain: string;
                symbol: string;
                balance: string;
                lowWater: string;
            }[] | null;
        };
        Till: {
            /** @description Its name. */
            business: string;
            /** @description The path of its logo, if it has one. */
            logo?: string;
            /** @description Null: amounts are in a token, as there is no currency or no rate. */
            currency: components["schemas"]["LocalCurrency"];
            networks: {
                chain: components["schemas"]["ChainName"];
                tokens: components["schemas"]["TokenSymbol"][];
                /** @description False: sessions are refused until its first block is read. */
                ready: boolean;
                /** Format: date-time */
                delayedSince: string | null;
            }[];
        };
        /** @description What a till shows of a session; `checkoutUrl` leads to its state. */
        TillSession: {
            /** Format: uuid */
            id: string;
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            amountExpected: string;
            amountReceived: string;
            localAmount: string | null;
            localCurrency: string | null;
            status: components["schemas"]["SessionStatus"];
            exception: components["schemas"]["SessionException"];
            checkoutUrl: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        TillDay: {
            /** Format: date */
            day: string;
            /** @description IANA name of the zone of the day. */
            timeZone: string;
            /** @description Of all sessions of the day. */
            count: number;
            /** @description Of those that are paid. */
            paid: number;
            /** @description What is paid: in the currency of each session, or in its token if it has none. */
            totals: {
                /** @description ISO 4217 code, or the symbol of a token. */
                currency: string;
                amount: string;
            }[];
            sessions: components["schemas"]["TillSession"][];
        };
        Explorer: {
            chain: components["schemas"]["ChainName"];
            /** @description The page of a transaction, with `{id}` in the place of its id. */
            transaction: string;
            /** @description The page of an address, with `{id}` in its place. */
            address: string;
        };
        TimelineEntry: {
            /** @enum {string} */
            kind: "created" | "payment_seen" | "payment_confirmed" | "payment_reverted" | "paid" | "expired" | "cancelled" | "payout_created" | "payout_sent" | "payout_completed" | "payout_failed" | "payout_cancelled" | "refund_created" | "refund_sent" | "refund_completed" | "refund_failed" | "refund_cancelled";
            /** Format: date-time */
            at: string;
            /** @description This, `token` and `amount`: of a payment, payout or refund. */
            chain: string | null;
            token: string | null;
            amount: string | null;
            /** @description Of a payment. */
            txId: string | null;
            /**
             * @description Of the payment; `overpaid` of `paid`, and `underpaid` of `expired`.
             * @enum {string|null}
             */
            exception: "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain" | null;
            /** @description Of a payout or a refund. */
            outflowId: string | null;
            /** @description Why a payout or a refund failed or was cancelled. */
            reason: string | null;
        };
        AutopayoutSetting: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            enabled: boolean;
            /** @description Of a saved payout destination. Null only where `enabled` is false. */
            destinationId: string | null;
        };
        /**
         * @description Why the destination cannot be paid now; null if it can, or without one. `destination_archived`; `chain_unavailable`: the network of the wallet is
         *     not on this deployment; `token_unavailable`: that network has no such token; `no_partner`: this deployment has no payout partner;
         *     `no_legal_profile`: the business has none yet. While autopayout is on, customers are not offered a token with a problem.
         * @enum {string|null}
         */
        AutopayoutProblem: "destination_archived" | "chain_unavailable" | "token_unavailable" | "no_partner" | "no_legal_profile" | null;
        Autopayout: {
            waitingApproval?: components["schemas"]["WaitingChange"];
            networks: {
                chain: components["schemas"]["ChainName"];
                tokens: {
                    token: components["schemas"]["TokenSymbol"];
                    enabled: boolean;
                    /** Format: uuid */
                    destinationId: string | null;
                    problem: components["schemas"]["AutopayoutProblem"];
                }[];
            }[];
        };
        PayoutBank: {
            /** @description The `networkId` of a destination. */
            id: string;
            name: string;
            code: string;
            countryCode: string;
            currencies: string[];
        };
        /** @description From the saving of a destination until payouts may go there; 0: at once. */
        CoolingOffHours: number;
        /** @description In US dollars, as `2500` or `99.5`; null: no limit. */
        DollarLimit: string | null;
        NextDollarLimit: {
            value: components["schemas"]["DollarLimit"];
            /** Format: date-time */
            from: string;
        } | null;
        PayoutSettings: {
            waitingApproval?: components["schemas"]["WaitingChange"];
            coolingOffHours: components["schemas"]["CoolingOffHours"];
            /** @description Of payouts and refunds; a USDC or USDT counts as a dollar. */
            maxPerPayout: components["schemas"]["DollarLimit"];
            /** @description Of all payouts and refunds within any 24 hours. */
            maxPerDay: components["schemas"]["DollarLimit"];
            /** @description A payout or refund needs a second owner's approval if it is more together with what left without one within 24 hours; automatic ones do not. */
            approvalAbove: components["schemas"]["DollarLimit"];
            /** @description Higher limits that were requested; null without one. */
            nextLimits: {
                maxPerPayout: components["schemas"]["NextDollarLimit"];
                maxPerDay: components["schemas"]["NextDollarLimit"];
                approvalAbove: components["schemas"]["NextDollarLimit"];
            };
            /** @description A shorter time that was requested; null without one. */
            next: {
                coolingOffHours: components["schemas"]["CoolingOffHours"];
                /** Format: date-time */
                from: string;
            } | null;
            excessHoldDays: components["schemas"]["ExcessHoldDays"];
            /** @description A shorter time that was requested; null without one. */
            nextExcessHold: {
                excessHoldDays: components["schemas"]["ExcessHoldDays"];
                /** Format: date-time */
                from: string;
            } | null;
        };
        /** @description For how long what comes beyond the amount of a session is held, before it is yours by itself. */
        ExcessHoldDays: number;
        LegalText: string;
        /**
         * @description Hosts that the `returnUrl` of a session may have, as `shop.example.com`; names in other letters in their ASCII form (`xn--…`). Each host is
         *     named by itself: those below it are not included. Left out of a change, they stay.
         */
        ReturnHosts: string[];
        /** @description Networks and tokens that customers may pay with; null: all of the deployment's, now and later. */
        Accepted: {
            chain: components["schemas"]["ChainName"];
            tokens: components["schemas"]["TokenSymbol"][];
        }[] | null;
        /**
         * @description How much of a session's amount may be missing, so that it is paid all the same with what came: `percent`, a share of up to 10, or
         *     `amount`, in units of its token. No session is paid with less than nine tenths of its amount. Null: nothing may be missing. Left out of a
         *     change, it stays.
         */
        Tolerance: {
            /** @example 0.5 */
            percent?: string;
            /** @example 0.25 */
            amount?: string;
        } | null;
        PaymentSettings: {
            localCurrency: components["schemas"]["LocalCurrency"];
            /** @description Set by the operator of the platform. Deducted from the payout. */
            feePercent: string;
            /** @description Set by the operator of the platform. */
            fxMarginPercent: string;
            acceptsAll: boolean;
            tolerance: components["schemas"]["Tolerance"];
            returnHosts: components["schemas"]["ReturnHosts"];
            /** @description Its path. */
            logo: string | null;
            /** @description All that the deployment offers. */
            networks: {
                chain: components["schemas"]["ChainName"];
                tokens: {
                    token: components["schemas"]["TokenSymbol"];
                    accepted: boolean;
                }[];
            }[];
        };
        /** @description In whole units of the token, as `12.5`: a deposit address with less is not swept. */
        SweepThreshold: string;
        SweepSetting: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            enabled: boolean;
            threshold: components["schemas"]["SweepThreshold"];
        };
        Autosweep: {
            networks: {
                chain: components["schemas"]["ChainName"];
                /**
                 * @description How money comes to the platform's treasury. `sweep`: from each deposit address, by sweeps. `direct`: payments arrive there, and nothing is swept. `none`: no sweep on this network yet.
                 * @enum {string}
                 */
                collection: "sweep" | "direct" | "none";
                tokens: {
                    token: components["schemas"]["TokenSymbol"];
                    enabled: boolean;
                    threshold: components["schemas"]["SweepThreshold"];
                }[];
            }[];
        };
        /** @enum {string} */
        SweepState: "open" | "done" | "failed";
        Sweep: {
            /** Format: uuid */
            id: string;
            chain: components["schemas"]["ChainName"];
            symbol: string;
            /** @description In whole units. */
            amount: string;
            /** @description The deposit address. */
            address: string;
            state: components["schemas"]["SweepState"];
            /** @enum {string} */
            status: "planned" | "waiting" | "funding" | "authorizing" | "ready" | "sending" | "swept" | "done" | "failed";
            reason: string | null;
            txId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Float: {
            chain: components["schemas"]["ChainName"];
            symbol: string;
            /** @description In whole units. */
            balance: string;
            lowWater: string;
            /** @description Less than the low-water mark. */
            isLow: boolean;
            /** @description The treasury's; null until its process wrote it. */
            address: string | null;
            /** Format: date-time */
            readAt: string;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description The action, as `key.created`. */
            action: string;
            actor: {
                /**
                 * @description `system`: a command of the operator, or Cowry itself.
                 * @enum {string}
                 */
                kind: "account" | "api_key" | "system";
                id: string | null;
                /** @description An email address, the beginning of a key, or a command. */
                label: string;
            };
            businessId: string | null;
            businessName: string | null;
            /** @description The id of the changed object. */
            target: string | null;
            /** @description The object by its name; null: it is not there any more, or the target is no id. */
            subject: {
                /** @example endpoint */
                kind: string;
                id: string;
                /** @description Null: it has no name of its own. */
                label: string | null;
            } | null;
            /** @description Changed fields, as they were. */
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The client's address. */
            address: string | null;
            requestId: string | null;
        };
        QueueName: string;
        ReplayedJobs: {
            /** @description How many are tried again. */
            jobs: number;
        };
        DeadJob: {
            id: string;
            queue: string;
            /** @description The error of the last try. */
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was given up.
             */
            deadAt: string;
            /** @description What the job is about. */
            subject: {
                /** @example session */
                kind: string;
                id: string;
                businessId: string | null;
                businessName: string | null;
            } | null;
        };
        Health: {
            /** Format: date-time */
            at: string;
            /** @description Of the api process. */
            version: string;
            /** @description What does not work, the urgent first: the counterparts of alerts that the database can tell. */
            problems: {
                /** @example CowryOutboxDead */
                alert: string;
                /** @enum {string} */
                severity: "page" | "ticket";
                message: string;
                /**
                 * @description Below docs/runbooks.
                 * @example an-outbox-row-is-dead.md
                 */
                runbook: string;
            }[];
            chains: components["schemas"]["ChainHealth"][] | null;
            queues: {
                /**
                 * @description As a worker saw it; `unknown`: no worker reports.
                 * @enum {string}
                 */
                redis: "ok" | "no_answer" | "unknown";
                /** Format: date-time */
                reportedAt: string | null;
                queues: components["schemas"]["QueueHealth"][];
            } | null;
            partners: components["schemas"]["PartnerHealth"][] | null;
            backups: {
                /**
                 * Format: date-time
                 * @description When the server last archived its log; null: it archives none itself.
                 */
                archivedAt: string | null;
                /**
                 * Format: date-time
                 * @description The newest state that was restored from a backup and found sound; null: none yet.
                 */
                checkedUpTo: string | null;
                archiveSeconds: number;
                checkSeconds: number;
            } | null;
            database: {
                /** @description The last that ran. */
                migration: string | null;
                /** @description True: nothing is signed or sent before it is reconciled. */
                isRestored: boolean;
                close: {
                    /** Format: date-time */
                    at: string;
                    drifts: number;
                } | null;
            } | null;
        };
        ChainHealth: {
            chain: components["schemas"]["ChainName"];
            /**
             * @description `silent`: no indexer reports; `unreadable`: a block holds something that this version does not know; `halted`: the chain gives no new
             *     block; `behind`: the newest block that was read is old; `reading`: none was read yet.
             * @enum {string}
             */
            state: "ok" | "reading" | "behind" | "halted" | "unreadable" | "silent";
            /** @description Of the newest block that was read. */
            height: number | null;
            /**
             * Format: date-time
             * @description The time in that block.
             */
            lastBlockAt: string | null;
            /** @description As a node reported it. */
            head: number | null;
            /** @description Blocks between the two. */
            lag: number | null;
            /** @description Blocks below the newest one that were not read. */
            gaps: number;
            /** @description Blocks whose internal transfers were not read. */
            untraced: number;
            nodes: {
                /** @description Its host. */
                name: string;
                /**
                 * @description `resting`: left alone for a while, after failures.
                 * @enum {string}
                 */
                state: "ok" | "resting" | "wrong_chain";
                /** @description Made worse by recent failures; null: not measured. */
                latencyMs: number | null;
            }[];
            /** @description Nothing is signed or sent. */
            paused: {
                reason: string;
                /** Format: date-time */
                since: string;
            } | null;
            /** @description The treasury has too little to pay for transactions. */
            lowGas: {
                symbol: string;
                balance: string;
                lowWater: string;
            } | null;
            /** Format: date-time */
            reportedAt: string | null;
        };
        QueueHealth: {
            queue: string;
            /** @description In Redis, as a worker counted them; null: not known. */
            jobs: {
                waiting: number;
                active: number;
                delayed: number;
                /** @description Of the last day; most were tried again since. */
                failed: number;
            } | null;
            /**
             * Format: date-time
             * @description Since when the oldest waits.
             */
            oldestAt: string | null;
            /** @description Jobs in the database whose effect is not stored yet; null: none, or the queue has rows of its own. */
            unfinished: number | null;
            /**
             * Format: date-time
             * @description Since when the oldest of these waits.
             */
            unfinishedSince: string | null;
            /** @description Given up after all tries. */
            dead: number;
        };
        PartnerHealth: {
            name: string;
            pause: {
                reason: string;
                by: string;
                /** Format: date-time */
                since: string;
            } | null;
            /** @description Payouts whose outcome is not known. */
            unknown: number;
            /**
             * Format: date-time
             * @description When its balance was last read.
             */
            readAt: string | null;
            comparison: {
                /** Format: date-time */
                at: string;
                unmatched: number;
            } | null;
        };
        OperatedBusiness: {
            /** Format: uuid */
            id: string;
            name: string;
            localCurrency: components["schemas"]["LocalCurrency"];
            timeZone: components["schemas"]["TimeZone"];
            approval: components["schemas"]["Approval"];
            approvalReason: string | null;
            ownersNeedSecondFactor: boolean;
            /** Format: date-time */
            secondFactorUntil?: string | null;
            feePercent: string;
            fxMarginPercent: string;
            /** @description Their email addresses. */
            owners: string[];
            /** @description Transfers and bridge transfers that are neither signed nor sent while it is suspended. */
            heldTransfers: number;
            caps: components["schemas"]["OwnCaps"];
            memberCount: number;
            /** @description Payments that were taken. */
            volume?: {
                today: components["schemas"]["BusinessTaken"];
                days30: components["schemas"]["BusinessTaken"];
                /** Format: date-time */
                lastPaymentAt: string | null;
            };
            /** Format: date-time */
            createdAt: string;
        };
        BusinessTaken: {
            payments: number;
            /** @description In US dollars, rounded down to cents; a stablecoin counts as one. */
            dollars: string;
        };
        Cap: number | null;
        /** @description Caps that the operator set for the business; null: the deployment's default. */
        OwnCaps: {
            monitoredAddresses: components["schemas"]["Cap"];
            openSessions: components["schemas"]["Cap"];
            endpointsPerHost: components["schemas"]["Cap"];
            deliveriesPerHost: components["schemas"]["Cap"];
            importBlocksPerDay: components["schemas"]["Cap"];
            replaysPerDay: components["schemas"]["Cap"];
            nodeQuestionsPerDay: components["schemas"]["Cap"];
        };
        DefaultCaps: {
            monitoredAddresses: number;
            openSessions: number;
            endpointsPerHost: number;
            deliveriesPerHost: number;
            importBlocksPerDay: number;
            replaysPerDay: number;
            nodeQuestionsPerDay: number;
        };
        OperatedTransfer: {
            /** Format: uuid */
            id: string;
            chain: components["schemas"]["ChainName"];
            symbol: string;
            amount: string;
            fromAddress: string;
            toAddress: string;
            memo?: string;
            /**
             * @description `wallet`: a stored wallet; only these can be given up. `caller`: a key that came with the request. `external`: a submitted signature.
             * @enum {string}
             */
            signer: "wallet" | "caller" | "external";
            /** @enum {string} */
            status: "pending" | "confirmed" | "failed";
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description A second owner has yet to approve it. */
            waitsForApproval: boolean;
        };
        PayoutPartner: {
            /** @example yellowcard */
            name: string;
            /** @description False: the deployment has no account there any more. */
            isConfigured: boolean;
            /** @description Empty until a worker has read them. */
            balances: {
                /** @example USD */
                currency: string;
                /**
                 * @description In whole units; negative if the account is overdrawn.
                 * @example 12345.67
                 */
                available: string;
                /** Format: date-time */
                readAt: string;
            }[];
            /** @description Payouts that were submitted and have not ended. */
            underWay: {
                payouts: number;
                /**
                 * @description The most that they cost, in US dollars.
                 * @example 250.10
                 */
                amount: string;
                /** @description Of these, payouts whose state is unknown. */
                unknown: number;
            };
            /**
             * @description The partner's account in the books, in US dollars.
             * @example 12595.77
             */
            booked: string;
            pause: {
                reason: string;
                /** @description An email address, or a command. */
                by: string;
                /** Format: date-time */
                since: string;
            } | null;
            /** @description The top-up that is under way: until it is seen in the balance. */
            topUp: {
                /** Format: uuid */
                id: string;
                chain: components["schemas"]["ChainName"];
                token: components["schemas"]["TokenSymbol"];
                /** @description In whole units of the token. */
                amount: string;
                /** @enum {string} */
                status: "pending" | "processing" | "unknown" | "completed";
                /** Format: date-time */
                createdAt: string;
            } | null;
            /** @description The last daily comparison with the partner's list of payments; null before the first. */
            comparison: {
                /** Format: date-time */
                at: string;
                /** @description Payments without a payout of the same amount, and the other way round. */
                unmatched: number;
                /** @description What the partner's balance has above the books, in US dollars; null: it did not say. */
                drift: string | null;
            } | null;
        };
        PlanName: string;
        PlanDescription: string;
        PlanPercent: string;
        /** @enum {string} */
        VerificationProduct: "verification" | "assessment" | "decision";
        VerificationPrices: {
            prices: {
                product: components["schemas"]["VerificationProduct"];
                country: string | null;
                idType: string | null;
                /**
                 * @description US dollars
                 * @example 0.25
                 */
                price: string;
                /** Format: date-time */
                updatedAt: string;
            }[];
        };
        /** @enum {string} */
        VerificationStatus: "pending_credit" | "queued" | "processing" | "completed" | "failed" | "not_found" | "error";
        ShownVerification: {
            /** Format: uuid */
            id: string;
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            reasonCode?: string;
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
        CollectionOptions: {
            /** @description Null: the deployment has no partner that collects, and the lists are empty. */
            partner: string | null;
            channels: components["schemas"]["CollectionChannel"][];
            /** @description Chains of the deployment, with the tokens that the partner settles there. */
            networks: {
                chain: components["schemas"]["ChainName"];
                tokens: components["schemas"]["TokenSymbol"][];
            }[];
        };
        CollectionChannel: {
            /** @description ISO 3166-1, two letters. */
            country: string;
            /** @description ISO 4217 code. */
            currency: string;
            /** @enum {string} */
            accountType: "bank" | "momo";
            /** @description Of one collection, in the currency. */
            min: string;
            /** @description Null: the channel has no maximum of its own. */
            max: string | null;
            /** @description The banks or mobile networks that money comes from. */
            networks: {
                /** @description The `networkId` of a source. */
                id: string;
                name: string;
            }[];
        };
        LedgerMonth: {
            month: string;
            timeZone: string;
            /** @enum {string} */
            state: "waiting" | "closed";
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Not included.
             */
            to: string;
            askedBy: components["schemas"]["MonthOwner"];
            /** Format: date-time */
            askedAt: string;
            closedBy: components["schemas"]["MonthOwner"] | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        MonthOwner: {
            id: string;
            name: string;
        };
        LedgerClose: {
            id: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt: string;
            /** @description How many it chained. */
            entries: number;
            /** @description Hash of the last entry of the chain, hexadecimal. */
            lastHash: string;
            /** @description How many differences it found. */
            drifts: number;
            /** @description Chains that hold money by the books, or were compared with them: what the last comparison said. */
            chains: {
                chain: string;
                /**
                 * Format: date-time
                 * @description `null`: it was never compared.
                 */
                checkedAt: string | null;
                /** @description Compared as of this block or a later one; `null`: as of the time. */
                height: number | null;
                /** @description How many differences the comparison found. */
                drifts: number | null;
                /** @description It was not compared since the close before: counts as a difference. */
                isOverdue: boolean;
            }[];
            /** @description The first of them. */
            differences: {
                /** @description `balance`, `asset`, `chain_hash`, `chain` or `chain_overdue`. */
                kind: string;
                subject: string;
                expected: string;
                found: string;
            }[];
        };
        /** @enum {string} */
        AdjustmentState: "waiting" | "approved" | "refused" | "expired";
        /** @description The business sees it at its entry. */
        AdjustmentReason: string;
        /** @description `available` of the business, in `USD` its prepaid `credit`, or an account of the platform. `deposits:`, `treasury:` and `staking:` name the chain of the asset, `partner:` the partner that has the dollars. */
        AdjustedAccount: string;
        Adjustment: {
            /** Format: uuid */
            id: string;
            business: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            debit: string;
            credit: string;
            asset: string;
            symbol: string;
            amount: string;
            reason: string;
            /**
             * Format: uuid
             * @description It gives this payment to the business, books it as the operator's, or sends it back.
             */
            suspensePaymentId: string | null;
            /** @description Where the payment goes back to. */
            toAddress: string | null;
            memo: string | null;
            memoType: string | null;
            state: components["schemas"]["AdjustmentState"];
            /** @description An email address. */
            proposedBy: string;
            /** @description You proposed it: another operator has to approve it. */
            own: boolean;
            /** Format: date-time */
            proposedAt: string;
            /** Format: date-time */
            expiresAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
        };
        SuspendedPayment: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "held" | "given" | "returning" | "returned" | "reverted";
            chain: components["schemas"]["ChainName"];
            symbol: string;
            amount: string;
            fromAddress: string;
            memo: string | null;
            memoType: string | null;
            txId: string;
            /** Format: date-time */
            blockTime: string;
            business: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            /**
             * @description The operator's account that it was booked to.
             * @enum {string|null}
             */
            account: "rewards" | "capital" | null;
            /** @description It came to a staking address. */
            isOfStaking: boolean;
            /** @description Giving it to an owner, or sending it back, was proposed. */
            waitsForApproval: boolean;
        };
        PayoutEstimate: {
            /** @description In `feeCurrency`. */
            fee: string;
            /** @description The currency of a bank account; the token for a wallet. */
            feeCurrency: string;
            /** @description Of bank payouts: units of the currency for one token. */
            rate: string | null;
            /** @description What the destination would get, in `receiveCurrency`. */
            receiveAmount: string;
            receiveCurrency: string;
            /** @description A second owner would have to approve it. */
            needsApproval: boolean;
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
        /** @description Chains, each with its tokens. */
        Networks: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    networks: {
                        chain: components["schemas"]["ChainName"];
                        tokens: components["schemas"]["TokenSymbol"][];
                        /** @description False until its first block is read: sessions cannot be created before (`chain_not_ready`). */
                        ready: boolean;
                        /**
                         * Format: date-time
                         * @description The time of the newest block read, if the chain has stopped or is read late: later payments are seen with a delay. Null otherwise.
                         */
                        delayedSince: string | null;
                    }[];
                };
            };
        };
        /** @description Where to pay: a new session (201), or that of this visit (200). */
        ChosenPayment: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The page of the session. */
                    checkoutUrl: string;
                };
            };
        };
        /** @description Any 2xx counts as delivered. */
        Received: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Each chain's own rule, your choice, and the operator's bounds. */
        Finality: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    chains: {
                        chain: components["schemas"]["ChainName"];
                        /**
                         * @description The chain's own rule.
                         * @enum {string}
                         */
                        finality: "confirmations" | "finalized";
                        /** @description Used instead if `finality` is `finalized` and no node reports finality. */
                        confirmations: number;
                        early: components["schemas"]["EarlyFinality"] | null;
                        largeFrom: string | null;
                        bounds: {
                            leastConfirmations: number;
                            /** @description Larger amounts are never credited before the chain's own rule. */
                            earlyUpTo: string;
                            /** @description Larger or equal amounts always wait for a finalized block. */
                            largeFrom: string | null;
                        };
                    }[];
                };
            };
        };
        /** @description The wallet, without its secret. */
        Wallet: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Wallet"];
            };
        };
        /** @description The transfer. */
        Transfer: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transfer"];
            };
        };
        /** @description The swap. */
        Swap: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Swap"];
            };
        };
        /** @description The stake. */
        Stake: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Stake"];
            };
        };
        /** @description `claim_over`: the link can no longer be used. `payment_reversed`: the payment was taken back by the network. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The refund. */
        Refund: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refund"];
            };
        };
        /** @description The refund, with the link that only this answer has. */
        CreatedRefund: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refund"];
            };
        };
        /** @description The payout. */
        Payout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Payout"];
            };
        };
        /** @description The destination. */
        PayoutDestination: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayoutDestination"];
            };
        };
        /** @description The collection. */
        Collection: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Collection"];
            };
        };
        /** @description The profile; null before it is written. */
        LegalProfile: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    profile: {
                        businessName: string;
                        /** @description Masked. */
                        registrationNumber: string;
                        country: string;
                        address: string;
                        /** @description Masked. */
                        phone: string;
                        /** @description Masked. */
                        email: string;
                        /** Format: date-time */
                        updatedAt: string;
                    } | null;
                };
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
        /** @description By creation. */
        Sort: "ASC" | "DESC";
        /** @description The `nextCursor` of the page before in the same list. */
        Cursor: string;
        /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
        Bom: boolean;
        /** @description The session. */
        SessionId: string;
        PaymentLinkId: string;
        PaymentLinkToken: string;
        /** @description The monitored address. */
        MonitoredAddressId: string;
        /** @description The addition of many addresses. */
        AdditionId: string;
        /** @description The import. */
        ImportId: string;
        /** @description The webhook endpoint. */
        EndpointId: string;
        /** @description The event's id, the same at every attempt. */
        WebhookId: string;
        /** @description When this attempt was made, in seconds. */
        WebhookTimestamp: string;
        /**
         * @description One or more signatures of `id.timestamp.body`, separated by spaces: `v1,` and an HMAC-SHA-256, or `v1a,` and an Ed25519 signature, in
         *     base64.
         */
        WebhookSignature: string;
        /** @description The delivery. */
        DeliveryId: string;
        /** @description The event. */
        EventId: string;
        /** @description A chain and a symbol, as `polygon:USDC`; or `USD`, which prepaid credit is in. */
        LedgerAsset: string;
        /** @description Only of this account of the books. */
        LedgerAccount: components["schemas"]["LedgerAccountName"];
        /** @description The stored wallet. */
        WalletId: string;
        /** @description The session that is refunded. */
        RefundedSession: string;
        /** @description The refund. */
        RefundId: string;
        /** @description The payout. */
        PayoutId: string;
        /** @description The payout destination. */
        DestinationId: string;
        /** @description The fiat collection. */
        CollectionId: string;
        /** @description The business. */
        BusinessId: string;
        /** @description The account. */
        AccountId: string;
        /** @description The key. */
        KeyId: string;
        /** @description The stored wallet. */
        StoredWalletId: string;
        /** @description The approval. */
        ApprovalId: string;
        /** @description The payout partner. */
        PayoutPartnerName: string;
        /** @description The staking plan. */
        PlanId: string;
    };
    requestBodies: {
        TransferFromAddress: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    fromAddress: components["schemas"]["Address"];
                    toAddress: components["schemas"]["Address"];
                    amount: components["schemas"]["Amount"];
                    token?: components["schemas"]["TransferToken"];
                    memo?: components["schemas"]["TransferMemo"];
                    memoType?: components["schemas"]["TransferMemoType"];
                    gasPrice?: components["schemas"]["GasPrice"];
                    gasLimit?: components["schemas"]["GasLimit"];
                };
            };
        };
    };
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
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                };
            };
        };
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accessToken: string;
                        /** @enum {string} */
                        tokenType: "Bearer";
                        /** @description Seconds. */
                        expiresIn: number;
                        account: components["schemas"]["AccountName"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
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
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        credential: "access_token" | "api_key";
                        /** @description Null for an API key. */
                        account: components["schemas"]["AccountName"] | null;
                        /** @description Null for an access token. */
                        apiKey: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            /** Format: date-time */
                            expiresAt: string | null;
                        } | null;
                        /** @description Null if the account belongs to no business. */
                        business: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            approval: components["schemas"]["Approval"];
                        } | null;
                        /**
                         * @description Null for an API key.
                         * @enum {string|null}
                         */
                        role: "owner" | "developer" | "viewer" | null;
                        /** @enum {string} */
                        scope: "read" | "write";
                        /** @description The credential's permissions. */
                        permissions: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["PublicKey"][];
                    };
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    quoteSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    token: components["schemas"]["TokenSymbol"];
                    localAmount?: components["schemas"]["Amount"];
                    localCurrency?: components["schemas"]["Currency"];
                    amount?: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamSessionQuote: {
        parameters: {
            query: {
                /** @description The chain to be paid on. */
                chain: components["schemas"]["ChainName"];
                /** @description The token to be paid. */
                token: components["schemas"]["TokenSymbol"];
                /** @description The amount in the local currency, instead of `amount`. */
                localAmount?: components["schemas"]["Amount"];
                /** @description The local currency; by default the business's. */
                localCurrency?: components["schemas"]["Currency"];
                /** @description In the token, instead of `localAmount`. */
                amount?: components["schemas"]["Amount"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. Each of its messages has either `quote`, or `error` while there is no price; the last price is then no longer valid. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        quote?: components["schemas"]["Quote"];
                        error?: components["schemas"]["Error"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            426: components["responses"]["UpgradeRequired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllNetworks: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Chains, each with its tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        networks: {
                            chain: components["schemas"]["ChainName"];
                            tokens: components["schemas"]["TokenSymbol"][];
                            /** @description False until its first block is read: sessions cannot be created before (`chain_not_ready`). */
                            ready: boolean;
                            /**
                             * Format: date-time
                             * @description The time of the newest block read, if the chain has stopped or is read late: later payments are seen with a delay. Null otherwise.
                             */
                            delayedSince: string | null;
                        }[];
                    };
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNetworks: {
        parameters: {
            query?: {
                /** @description The business of the key or token if omitted. An access token may name any business of its account. */
                businessId?: string;
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Chains, each with its tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        networks: {
                            chain: components["schemas"]["ChainName"];
                            tokens: components["schemas"]["TokenSymbol"][];
                            /** @description False until its first block is read: sessions cannot be created before (`chain_not_ready`). */
                            ready: boolean;
                            /**
                             * Format: date-time
                             * @description The time of the newest block read, if the chain has stopped or is read late: later payments are seen with a delay. Null otherwise.
                             */
                            delayedSince: string | null;
                        }[];
                    };
                    "text/csv": string;
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
    listBanks: {
        parameters: {
            query?: {
                /** @description The currency to pay out in. */
                currency?: components["schemas"]["Currency"];
                /** @description ISO 3166-1 alpha-2 */
                countryCode?: string;
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The banks, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the partner was asked for this list. Null without a partner.
                         */
                        asOf: string | null;
                        banks: {
                            /** @description The `networkId` of a payout. */
                            id: string;
                            name: string;
                            /** @description Sort code. */
                            code: string;
                        }[];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only of this token. */
                token?: components["schemas"]["TokenSymbol"];
                /** @description Only in this state. */
                status?: components["schemas"]["SessionStatus"];
                /** @description Only with this exception. */
                exception?: components["schemas"]["SessionException"];
                /** @description Only with exactly this reference. */
                reference?: string;
                /** @description The sessions that a payment link made. */
                linkId?: string;
                /** @description A part of a session's id, address, memo, `reference` or `label`, of three letters or digits or more in a row; a shorter `reference` as a whole. Or an amount that was requested, in the token or in `localCurrency`; or the id of a transaction that paid it, of which the first eight characters are enough on chains with ids in hexadecimal digits. */
                search?: string;
                /** @description Created from this time on. */
                since?: components["schemas"]["Instant"];
                /** @description Created before this time. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["Session"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSession"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session. */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session. */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSession"];
            };
        };
        responses: {
            /** @description The session, as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The session. */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The session. */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    resolution: "accept" | "leave";
                };
            };
        };
        responses: {
            /** @description The session, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                status?: components["schemas"]["PaymentLinkStatus"];
                reference?: string;
                /** @description Created from this time on. */
                since?: components["schemas"]["Instant"];
                /** @description Created before this time. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        links: components["schemas"]["PaymentLink"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentLink"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["PaymentLinkId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["PaymentLinkId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePaymentLink"];
            };
        };
        responses: {
            /** @description The link, as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookAtPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["PaymentLinkToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, as its customer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    payByLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["PaymentLinkToken"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    token: components["schemas"]["TokenSymbol"];
                    /** @description Only of a link with an open amount, and required there: in its `localCurrency`, or in the token where it has none. */
                    amount?: components["schemas"]["Amount"];
                    /** @description What the page has chosen at random for this visit: at least 128 bits. */
                    visit: string;
                };
            };
        };
        responses: {
            200: components["responses"]["ChosenPayment"];
            201: components["responses"]["ChosenPayment"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token of the session's page, from `checkoutUrl`. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, as its customer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMonitoredAddresses: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only of exactly this address. */
                address?: string;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of monitored addresses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        addresses: components["schemas"]["MonitoredAddress"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    monitorAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    address: components["schemas"]["MonitoredText"];
                    metadata?: components["schemas"]["MonitoredMetadata"];
                    tokens?: components["schemas"]["MonitoredTokens"];
                    fromBlock?: components["schemas"]["FromBlock"];
                };
            };
        };
        responses: {
            /** @description It was already monitored; this is its entry, unchanged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoredAddress"];
                };
            };
            /** @description It is monitored from now on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoredAddress"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMonitoredAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    address: components["schemas"]["MonitoredText"];
                };
            };
        };
        responses: {
            /** @description Whether it was monitored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description True if the address was removed. */
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    monitorAddresses: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    addresses: {
                        address: components["schemas"]["MonitoredText"];
                        metadata?: components["schemas"]["MonitoredMetadata"];
                    }[];
                    tokens?: components["schemas"]["MonitoredTokens"];
                    fromBlock?: components["schemas"]["FromBlock"];
                };
            };
        };
        responses: {
            /** @description The result for each address, in the order of the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoredAddresses"];
                };
            };
            /** @description An addition: the addresses are valid, and will be monitored shortly. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringAddition"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMonitoredAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The monitored address. */
                id: components["parameters"]["MonitoredAddressId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoredAddress"];
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
    changeMonitoredAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The monitored address. */
                id: components["parameters"]["MonitoredAddressId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    metadata?: components["schemas"]["MonitoredMetadata"] | null;
                    tokens?: components["schemas"]["MonitoredTokens"];
                };
            };
        };
        responses: {
            /** @description The entry, as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoredAddress"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpeningBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The monitored address. */
                id: components["parameters"]["MonitoredAddressId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpeningBalance"];
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
    getMonitoringAddition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The addition of many addresses. */
                id: components["parameters"]["AdditionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its progress. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringAddition"];
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
    listAddedAddresses: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The addition of many addresses. */
                id: components["parameters"]["AdditionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of addresses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        addresses: components["schemas"]["AddedAddress"][];
                        total: number;
                        page: number;
                        limit: number;
                        totalPages: number;
                    };
                    "text/csv": string;
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
    listMonitoringImports: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of imports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        imports: components["schemas"]["MonitoringImport"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMonitoringImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import. */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its progress. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringImport"];
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
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All endpoints, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoints: components["schemas"]["WebhookEndpoint"][];
                    };
                    "text/csv": string;
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
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: components["schemas"]["EndpointUrl"];
                    description?: components["schemas"]["EndpointDescription"];
                    eventTypes?: components["schemas"]["EndpointTypes"];
                    /**
                     * @description `hmac`, the default: with a shared secret (`v1`). `ed25519`: with a key that only Cowry has; receivers check with its public key (`v1a`).
                     * @enum {string}
                     */
                    signature?: "hmac" | "ed25519";
                    secret?: components["schemas"]["OwnSecret"];
                    headers?: components["schemas"]["OwnHeaders"];
                    maxPerSecond?: components["schemas"]["MaxPerSecond"];
                };
            };
        };
        responses: {
            /** @description The endpoint. Its secret is shown only here. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /** @description The signing secret, shown only here. Null for `ed25519`: the endpoint has the public key. */
                        secret: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
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
    removeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url?: components["schemas"]["EndpointUrl"];
                    description?: components["schemas"]["EndpointDescription"];
                    eventTypes?: components["schemas"]["EndpointTypes"];
                    headers?: components["schemas"]["OwnHeaderChanges"];
                    maxPerSecond?: components["schemas"]["MaxPerSecond"];
                };
            };
        };
        responses: {
            /** @description The endpoint, as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The kind of the new secret; left out: that of the present one.
                     * @enum {string}
                     */
                    signature?: "hmac" | "ed25519";
                    secret?: components["schemas"]["OwnSecret"];
                };
            };
        };
        responses: {
            /** @description The new secret, shown only here. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /** @description The signing secret, shown only here. Null for `ed25519`: the endpoint has the public key. */
                        secret: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way. The delivery shows the result. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. Events now wait for it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. Waiting deliveries are sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only of exactly this address. */
                address?: string;
                /** @description Only in this state. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description An event type, all of a topic as `session.*`, or `*`. */
                type?: string;
                /** @description Only of this endpoint. */
                endpointId?: string;
                /** @description Only of this event. */
                eventId?: string;
                /** @description Of events from this time on. */
                since?: components["schemas"]["Instant"];
                /** @description Of events before this time. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["WebhookDelivery"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    since: components["schemas"]["Instant"];
                    until?: components["schemas"]["Instant"];
                    /** Format: uuid */
                    endpointId?: string;
                };
            };
        };
        responses: {
            /** @description How many are sent again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replayed: number;
                        /** @description There are more; call again. One call takes 100,000. */
                        more: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, its event and its attempts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
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
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is due now. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The last sequence number that you have. */
                after?: number;
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description An event type, or all of a topic as `session.*`; several, up to 20, with commas between them. */
                type?: string;
                /** @description Seconds to wait for an event if there is none. A stream ignores it. */
                wait?: number;
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: {
                /** @description Of a stream: the last sequence number that you have. It takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in the order of their sequence numbers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["EventRecord"][];
                        /** @description The `after` of the next call. */
                        nextAfter: number;
                        hasMore: boolean;
                        /** @description The oldest event that is still kept; null without events. */
                        oldestSequence: number | null;
                        /** @description Of the newest event; 0 without events. */
                        latestSequence: number;
                    };
                    "text/event-stream": string;
                    "text/csv": string;
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
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event. */
                id: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event: its body, and its id, which deliveries carry in a header. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventRecord"];
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
    explainTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chain of the transaction. */
                chain: components["schemas"]["ChainName"];
                /** @description The transaction's hash. For a validator's withdrawal, the id of its block. */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
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
    getFinality: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Finality"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setFinality: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rules: {
                        chain: components["schemas"]["ChainName"];
                        early?: components["schemas"]["EarlyFinality"];
                        /** @description Larger or equal amounts wait until the chain calls their block finalized. */
                        largeFrom?: components["schemas"]["Amount"];
                    }[];
                };
            };
        };
        responses: {
            200: components["responses"]["Finality"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBalances: {
        parameters: {
            query?: {
                /** @description A chain and a symbol, as `polygon:USDC`; or `USD`, which prepaid credit is in. */
                asset?: components["parameters"]["LedgerAsset"];
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description A symbol, as USDC or ETH. */
                token?: string;
                /** @description The balances at this time, its own millisecond included. Default: now. */
                at?: components["schemas"]["Instant"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "at": "2026-11-25T10:00:00.000Z",
                     *       "total": {
                     *         "amount": "190382.5",
                     *         "currency": "NGN",
                     *         "rate": "1610",
                     *         "rateAt": "2026-11-25T09:59:50.000Z",
                     *         "without": []
                     *       },
                     *       "balances": [
                     *         {
                     *           "asset": "polygon:USDC",
                     *           "chain": "polygon",
                     *           "token": "USDC",
                     *           "symbol": "USDC",
                     *           "decimals": 6,
                     *           "pending": "0",
                     *           "available": "118.25",
                     *           "receivable": "0",
                     *           "payoutsHeld": "0",
                     *           "stakes": "0",
                     *           "credit": "0",
                     *           "creditHeld": "0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** Format: date-time */
                        at: string;
                        /** @description Null where the currency has no rate now. */
                        total: components["schemas"]["BalanceTotal"] | null;
                        balances: components["schemas"]["Balance"][];
                    };
                    "text/csv": string;
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
    listLedgerEntries: {
        parameters: {
            query?: {
                /** @description Only of this account of the books. */
                account?: components["parameters"]["LedgerAccount"];
                /** @description A chain and a symbol, as `polygon:USDC`; or `USD`, which prepaid credit is in. */
                asset?: components["parameters"]["LedgerAsset"];
                /** @description Only of this kind. */
                kind?: components["schemas"]["LedgerEntryKind"];
                /** @description The id of the payment, payout or adjustment. */
                reference?: string;
                /** @description Of the payments of this session. */
                sessionId?: string;
                /** @description From this time on. */
                since?: components["schemas"]["Instant"];
                /** @description Before this time. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["LedgerEntry"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLedgerStatement: {
        parameters: {
            query?: {
                /** @description A calendar month, as `2026-11`, of the business's time zone. */
                month?: string;
                /** @description IANA name of another zone whose `month` is wanted, as `Africa/Lagos`. */
                timeZone?: string;
                /** @description From this time on. */
                from?: components["schemas"]["Instant"];
                /** @description Before this time. */
                to?: components["schemas"]["Instant"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-01T00:00:00.000Z",
                     *       "to": "2026-12-01T00:00:00.000Z",
                     *       "finalUntil": "2026-12-01T08:30:12.000Z",
                     *       "accounts": [
                     *         {
                     *           "account": "available",
                     *           "asset": "polygon:USDC",
                     *           "symbol": "USDC",
                     *           "decimals": 6,
                     *           "opening": "100",
                     *           "movements": [
                     *             {
                     *               "kind": "deposit.credited",
                     *               "entries": 2,
                     *               "amount": "20.5"
                     *             },
                     *             {
                     *               "kind": "deposit.reverted",
                     *               "entries": 1,
                     *               "amount": "-2.25"
                     *             }
                     *           ],
                     *           "closing": "118.25"
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "line": "received",
                     *           "asset": "polygon:USDC",
                     *           "symbol": "USDC",
                     *           "decimals": 6,
                     *           "entries": 3,
                     *           "amount": "18.25",
                     *           "fiat": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LedgerStatement"];
                    "text/csv": string;
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
    generateWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    mnemonic?: components["schemas"]["Mnemonic"];
                    derivationPath?: components["schemas"]["DerivationPath"];
                };
            };
        };
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedWallet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readBalance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    address: components["schemas"]["Address"];
                    /** @description Contracts, on Solana mints, on Stellar `CODE:ISSUER`; by default all tokens that Cowry knows. */
                    tokenAddresses?: string[];
                };
            };
        };
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletBalance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only of exactly this address. */
                address?: components["schemas"]["Address"];
                /** @description A part of its name or its address. */
                search?: string;
                /** @description Archived ones instead of active ones. */
                archived?: boolean;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wallets: components["schemas"]["Wallet"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    storeWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    privateKey?: components["schemas"]["PrivateKey"];
                    mnemonic?: components["schemas"]["Mnemonic"];
                    derivationPath?: components["schemas"]["DerivationPath"];
                    name?: components["schemas"]["WalletName"];
                };
            };
        };
        responses: {
            201: components["responses"]["Wallet"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stored wallet. */
                id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Wallet"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stored wallet. */
                id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["WalletName"] | null;
                };
            };
        };
        responses: {
            200: components["responses"]["Wallet"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archiveWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The stored wallet. */
                id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Wallet"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendFromWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The stored wallet. */
                id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    toAddress: components["schemas"]["Address"];
                    amount: components["schemas"]["Amount"];
                    token?: components["schemas"]["TransferToken"];
                    memo?: components["schemas"]["TransferMemo"];
                    memoType?: components["schemas"]["TransferMemoType"];
                    ifNoTrustline?: components["schemas"]["IfNoTrustline"];
                    /** @description Only with `ifNoTrustline` `wait`: for how long; 604800 (7 days) without it. */
                    waitSeconds?: number;
                    /**
                     * Format: date-time
                     * @description Past it the transfer is cancelled: it is not signed or sent for the first time, and one that was sent is cancelled as by
                     *     `POST /crypto/transfers/{id}/cancel`. In the future, at most 30 days from now.
                     */
                    validUntil?: string;
                };
            };
        };
        responses: {
            202: components["responses"]["Transfer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    fromPrivateKey: components["schemas"]["PrivateKey"];
                    toAddress: components["schemas"]["Address"];
                    amount: components["schemas"]["Amount"];
                    token?: components["schemas"]["TransferToken"];
                    memo?: components["schemas"]["TransferMemo"];
                    memoType?: components["schemas"]["TransferMemoType"];
                    gasPrice?: components["schemas"]["GasPrice"];
                    gasLimit?: components["schemas"]["GasLimit"];
                };
            };
        };
        responses: {
            201: components["responses"]["Transfer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    estimateTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TransferFromAddress"];
        responses: {
            /** @description The estimate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferEstimate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    prepareTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TransferFromAddress"];
        responses: {
            /** @description The unsigned transaction. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreparedTransfer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    submitTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the prepared transfer. */
                    id: string;
                    /** @description The signed transaction, in the encoding of the unsigned one; on Tron the JSON with `signature`. */
                    payload: string;
                };
            };
        };
        responses: {
            201: components["responses"]["Transfer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only of this token. */
                token?: "native" | "usdc" | "usdt";
                /** @description Only in this state. */
                status?: components["schemas"]["TransferStatus"];
                /** @description Only of this stored wallet. */
                walletId?: string;
                /** @description Its id, the hash of any transaction that was signed for it, or an address that it is from or to. */
                search?: string;
                /** @description Created from this time on. */
                since?: components["schemas"]["Instant"];
                /** @description Created before this time. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of transfers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transfers: components["schemas"]["Transfer"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, or the hash of any transaction that was signed for it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Transfer"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The transfer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Transfer"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    quoteSwap: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    sellToken: components["schemas"]["SwapToken"];
                    buyToken: components["schemas"]["SwapToken"];
                    amount: components["schemas"]["Amount"];
                    /** @description By how much less the swap may bring, in basis points (50 is 0.5 %). 50, if it is left out. */
                    slippageBps?: number;
                };
            };
        };
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwapQuote"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamSwapQuote: {
        parameters: {
            query: {
                /** @description The chain to swap on. */
                chain: components["schemas"]["ChainName"];
                /** @description The token that is sold. */
                sellToken: components["schemas"]["SwapToken"];
                /** @description The token that is bought. */
                buyToken: components["schemas"]["SwapToken"];
                /** @description Of the token that is sold. */
                amount: components["schemas"]["Amount"];
                /** @description By how much less the swap may bring, in basis points (50 is 0.5 %). 50, if it is left out. */
                slippageBps?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. Each of its messages has either `quote`, or `error` while there is no price; the last price is then no longer valid. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        quote?: components["schemas"]["SwapQuote"];
                        error?: components["schemas"]["Error"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            426: components["responses"]["UpgradeRequired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    executeSwap: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    sellToken: components["schemas"]["SwapToken"];
                    buyToken: components["schemas"]["SwapToken"];
                    amount: components["schemas"]["Amount"];
                    privateKey: components["schemas"]["PrivateKey"];
                    /** @description The recipient of what is bought; the sender, if it is left out. Required on solana. */
                    toAddress?: string;
                    /** @description By how much less than the quote the swap may bring, in basis points. 50, if it is left out. */
                    slippageBps?: number;
                    /** @description The least that you accept, in whole units of `buyToken`. Where the quote less `slippageBps` is below it, nothing is sent: 422 `price_moved`. */
                    minBuyAmount?: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            201: components["responses"]["Swap"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSwaps: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only in this state. */
                status?: components["schemas"]["SwapStatus"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of swaps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        swaps: components["schemas"]["Swap"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSwap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, or the hash of any transaction that was signed for it, also of an approval. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Swap"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBridgeTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BridgeRequest"];
            };
        };
        responses: {
            /** @description The transfer. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeTransfer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    estimateBridgeTransfer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BridgeRequest"];
            };
        };
        responses: {
            /** @description The estimate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeEstimate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBridgeTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The bridge transfer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transfer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeTransfer"];
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
    listBridgeTransfers: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                status?: components["schemas"]["BridgeStatus"];
                /** @description Only from this chain. */
                sourceChain?: components["schemas"]["ChainName"];
                /** @description Only to this chain. */
                destinationChain?: components["schemas"]["ChainName"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of bridge transfers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transfers: components["schemas"]["BridgeTransfer"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStakingPlans: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plans": [
                     *         {
                     *           "id": "01a21c80-0d5f-7a31-8f0e-6f2b9c1d4e01",
                     *           "name": "USDC, 30 days",
                     *           "description": "Held by the platform. Rewards are paid with the withdrawal.",
                     *           "type": "pooled",
                     *           "chain": "ethereum",
                     *           "token": "USDC",
                     *           "apy": 5.5,
                     *           "lockDays": 30,
                     *           "penaltyPercent": 2,
                     *           "minAmount": "100",
                     *           "maxAmount": "50000",
                     *           "isActive": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        plans: components["schemas"]["StakingPlan"][];
                    };
                    "text/csv": string;
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
    createStake: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    planId: string;
                    amount: components["schemas"]["Amount"];
                    fromPrivateKey: components["schemas"]["PrivateKey"];
                    /** @description The vote account of a validator. Required on solana for every plan, refused on other chains; pooled plans do not use it. */
                    validator?: string;
                };
            };
        };
        responses: {
            201: components["responses"]["Stake"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStakes: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Only in this state. */
                status?: components["schemas"]["StakeStatus"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of stakes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stakes: components["schemas"]["Stake"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStake: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stake. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Stake"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unstake: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    stakeId: string;
                    chain: components["schemas"]["ChainName"];
                    fromPrivateKey: components["schemas"]["PrivateKey"];
                    /** @description Everything, if it is left out. */
                    amountToUnstake?: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description The part that leaves. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unstaked"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawStake: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    stakeId: string;
                    chain: components["schemas"]["ChainName"];
                    /** @description Required for native stakes, refused for pooled ones. */
                    fromPrivateKey?: components["schemas"]["PrivateKey"];
                };
            };
        };
        responses: {
            /** @description The requested withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakeWithdrawal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CannotBeSent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookAtRefundClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["RefundClaimToken"];
                };
            };
        };
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        merchant: string;
                        amount: string;
                        token: string;
                        chain: components["schemas"]["ChainName"];
                        takesMemo: boolean;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    claimRefund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["RefundClaimToken"];
                    toAddress: string;
                    memo?: string;
                    memoType?: components["schemas"]["RefundMemoType"];
                };
            };
        };
        responses: {
            /** @description Its address is named. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        amount: string;
                        token: string;
                        chain: components["schemas"]["ChainName"];
                        takesMemo: boolean;
                        toAddress: string;
                        memo: string | null;
                        memoType: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                status?: components["schemas"]["RefundStatus"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The session that is refunded. */
                id: components["parameters"]["RefundedSession"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        refunds: components["schemas"]["Refund"][];
                        /** @description What can be refunded yet of each asset that came, on every page of the list; empty while the session is `pending`. */
                        refundable: components["schemas"]["RefundableAsset"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The session that is refunded. */
                id: components["parameters"]["RefundedSession"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "rest",
                 *       "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `whole`: all that came. `excess`: what came beyond the expected amount and was not refunded. `rest`: all that was not refunded.
                     * @enum {string}
                     */
                    kind?: "whole" | "excess" | "rest";
                    /** @description Of the token, in place of `kind`. */
                    amount?: components["schemas"]["Amount"];
                    /** @description The chain that the money came on; the session's if omitted. */
                    chain?: components["schemas"]["ChainName"];
                    token?: components["schemas"]["RefundedToken"];
                    /** @description In any form that the chain has for it. */
                    toAddress?: string;
                    /** @description Stellar only. Exchanges, and wallets that share an account, need one. */
                    memo?: string;
                    /** @description Stellar only, with `memo`; `text` if it is left out. */
                    memoType?: components["schemas"]["RefundMemoType"];
                    /**
                     * @description In place of `toAddress`: your customer names the address, by a link.
                     * @constant
                     */
                    claim?: true;
                };
            };
        };
        responses: {
            201: components["responses"]["CreatedRefund"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session that is refunded. */
                id: components["parameters"]["RefundedSession"];
                /** @description The refund. */
                refundId: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Refund"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The session that is refunded. */
                id: components["parameters"]["RefundedSession"];
                /** @description The refund. */
                refundId: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Refund"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                status?: components["schemas"]["PayoutStatus"];
                /** @description Of the source. */
                chain?: components["schemas"]["ChainName"];
                /** @description Of the source. */
                token?: components["schemas"]["TokenSymbol"];
                /** @description Of bank payouts. */
                currency?: components["schemas"]["Currency"];
                /** @description Only to this payout destination. */
                destinationId?: string;
                /** @description Only of this session. */
                sessionId?: string;
                /** @description Only with exactly this reference. */
                reference?: string;
                /** @description Created then or later. */
                since?: components["schemas"]["Instant"];
                /** @description Created before then. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of payouts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payouts: components["schemas"]["Payout"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "100",
                 *       "source": {
                 *         "chain": "base",
                 *         "token": "USDC"
                 *       },
                 *       "destination": {
                 *         "id": "01a1f93f-821b-7439-bb21-110bf7cf8615"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Of the source token, fee included. */
                    amount: components["schemas"]["Amount"];
                    source: components["schemas"]["PayoutSource"];
                    /** @description Exactly one of: `id`; `networkId`, `accountNumber` and `accountName`; `chain` and `address`. */
                    destination: {
                        /** @description Of a saved destination. */
                        id?: string;
                        /** @description The `id` of an entry of `GET /pos/sessions/banks`. */
                        networkId?: string;
                        /** @description 4 to 34 letters and digits; spaces and hyphens are ignored. */
                        accountNumber?: string;
                        /** @description As the bank has it. */
                        accountName?: string;
                        /** @description Needed only for a bank that takes several. */
                        currency?: components["schemas"]["Currency"];
                        chain?: components["schemas"]["ChainName"];
                        /** @description In any form that the chain has for it. */
                        address?: string;
                        /** @description Stellar only. Exchanges, and wallets that share an account, need one. */
                        memo?: string;
                        /** @description Stellar only, with `memo`; `text` if it is left out. */
                        memoType?: components["schemas"]["DestinationMemoType"];
                    };
                    /** @description Your own id; payouts can be listed by it. */
                    reference?: string;
                    metadata?: components["schemas"]["PayoutMetadata"];
                };
            };
        };
        responses: {
            201: components["responses"]["Payout"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout. */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payout. */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approvePayout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payout. */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    revision: components["schemas"]["PayoutRevision"];
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmPayoutPrice: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payout. */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    revision: components["schemas"]["PayoutRevision"];
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    markPayoutPaid: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payout. */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    revision: components["schemas"]["PayoutRevision"];
                    /** @description What shows it: a bank's reference, the address of a receipt. */
                    proof: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayoutDestinations: {
        parameters: {
            query?: {
                /** @description Only of this kind. */
                kind?: components["schemas"]["DestinationKind"];
                /** @description Only in this state. */
                status?: components["schemas"]["DestinationStatus"];
                /** @description Of bank accounts. */
                currency?: components["schemas"]["Currency"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of destinations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        destinations: components["schemas"]["PayoutDestination"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPayoutDestination: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "networkId": "5f1af11b-305f-4420-8fce-65ed2725a409",
                 *       "accountNumber": "0123456789",
                 *       "accountName": "Ada Stores Ltd"
                 *     }
                 */
                "application/json": {
                    name?: components["schemas"]["DestinationName"];
                    /** @description The `id` of an entry of `GET /pos/sessions/banks`. */
                    networkId?: string;
                    /** @description 4 to 34 letters and digits; spaces and hyphens are ignored. */
                    accountNumber?: string;
                    /** @description As the bank has it. */
                    accountName?: string;
                    /** @description Needed only for a bank that takes several. */
                    currency?: components["schemas"]["Currency"];
                    chain?: components["schemas"]["ChainName"];
                    /** @description In any form that the chain has for it. */
                    address?: string;
                    /** @description Stellar only. Exchanges, and wallets that share an account, need one. */
                    memo?: string;
                    /** @description Stellar only, with `memo`; `text` if it is left out. */
                    memoType?: components["schemas"]["DestinationMemoType"];
                };
            };
        };
        responses: {
            201: components["responses"]["PayoutDestination"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPayoutDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout destination. */
                id: components["parameters"]["DestinationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutDestination"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archivePayoutDestination: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payout destination. */
                id: components["parameters"]["DestinationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutDestination"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                status?: components["schemas"]["CollectionStatus"];
                /** @description Only of this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Only with exactly this reference. */
                reference?: string;
                /** @description Created then or later. */
                since?: components["schemas"]["Instant"];
                /** @description Created before then. */
                until?: components["schemas"]["Instant"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of collections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CollectionItem"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCollection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "50000",
                 *       "currency": "NGN",
                 *       "country": "NG",
                 *       "walletAddress": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
                 *       "cryptoCurrency": "USDC",
                 *       "cryptoNetwork": "base",
                 *       "source": {
                 *         "accountType": "bank"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description In `currency`, in its whole units. */
                    amount: components["schemas"]["Amount"];
                    currency: components["schemas"]["Currency"];
                    /**
                     * @description Where it is collected: ISO 3166-1, two letters.
                     * @example NG
                     */
                    country: string;
                    /** @description In any form that the chain has for it. */
                    walletAddress: string;
                    cryptoCurrency: components["schemas"]["TokenSymbol"];
                    cryptoNetwork: components["schemas"]["ChainName"];
                    /** @description Of a wallet on stellar, which needs one. */
                    memo?: string;
                    recipient?: components["schemas"]["CollectionRecipient"];
                    source: components["schemas"]["CollectionSource"];
                    /** @description Where the partner sends the customer after the payment. */
                    redirectUrl?: string;
                    /** @description Your own id; collections can be listed by it. */
                    reference?: string;
                    /** @description Your own JSON object, up to 4 kB. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            201: components["responses"]["Collection"];
            202: components["responses"]["Collection"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
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
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fiat collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Collection"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelCollection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The fiat collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Collection"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshCollection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The fiat collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Collection"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    receiveYellowCardWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Base64 of the HMAC-SHA-256 of the body. */
                "X-YC-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description It is genuine, and was acted on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        received: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It runs. */
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
            405: components["responses"]["MethodNotAllowed"];
            500: components["responses"]["ServerError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description Not ready; `checks` says why. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description Signed in: the session cookie is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
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
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    password: components["schemas"]["GivenPassword"];
                };
            };
        };
        responses: {
            /** @description The options for the browser's passkeys; null: the account has no passkey. `POST /sign-in` takes the answer, with the password again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        options: components["schemas"]["PasskeyRequest"] | null;
                    };
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
    getSignInHelp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The available help. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `POST /reset` mails a link. */
                        resetByMail: boolean;
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                };
            };
        };
        responses: {
            /** @description If the address has an account, a mail is on its way. The answer is the same if it has no account. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every session and every access token of the account has ended, including this one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["PersonName"];
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
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
    chooseDefaultBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of the account's businesses; null: no default. */
                    businessId: string | null;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    proveAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail is on its way; its link is given to `POST /invitations/join`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: components["schemas"]["GivenPassword"];
                    newPassword: components["schemas"]["NewPassword"];
                };
            };
        };
        responses: {
            /** @description Changed; every other session and every access token of the account has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
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
    confirmFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description Confirmed for five minutes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description The secret for the authenticator. It takes effect when a code is given to `POST /me/totp/enable`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Base 32, to type in. */
                        secret: string;
                        /** @description The same as an otpauth URI, to scan. */
                        uri: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    totp: components["schemas"]["TotpCode"];
                };
            };
        };
        responses: {
            /** @description The authenticator is on. The recovery codes are shown only here; each works once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description The authenticator is off. With the last second factor, the recovery codes are deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkeys, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passkeys: components["schemas"]["Passkey"][];
                    };
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["PasskeyName"];
                    passkey: components["schemas"]["NewPasskey"];
                };
            };
        };
        responses: {
            /** @description It is a second factor from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passkey: components["schemas"]["Passkey"];
                        /** @description If it is the account's first second factor; shown only here; each works once. */
                        recoveryCodes: string[] | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description The options for the browser, valid for five minutes. `POST /me/passkeys` takes the result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginPasskeyConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options for the browser. The change takes the answer as `passkey`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequest"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The passkey. */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["PasskeyName"];
                };
            };
        };
        responses: {
            /** @description The passkey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The passkey. */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    recoveryCode?: components["schemas"]["RecoveryCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description Removed. With the last second factor, the recovery codes are deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: components["schemas"]["GivenPassword"];
                    totp?: components["schemas"]["TotpCode"];
                    passkey?: components["schemas"]["PasskeyAnswer"];
                };
            };
        };
        responses: {
            /** @description The new codes; the old ones are void. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSignIns: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Valid sessions and access tokens, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        signIns: components["schemas"]["SignIn"][];
                    };
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sign-in. */
                signInId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
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
    lookAtInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["InvitationToken"];
                };
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationSeen"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["InvitationToken"];
                    name?: components["schemas"]["PersonName"];
                    password: components["schemas"]["NewPassword"];
                };
            };
        };
        responses: {
            /** @description Done and signed in: the session cookie is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description The new password is set. The account keeps its second factor, because the link was mailed: sign in with both. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    joinByInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["InvitationToken"];
                };
            };
        };
        responses: {
            /** @description The account, with its new business. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["BusinessName"];
                    localCurrency?: components["schemas"]["LocalCurrency"];
                    timeZone?: components["schemas"]["TimeZone"];
                };
            };
        };
        responses: {
            /** @description The business, owned by the caller. In production it waits for approval. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Business"];
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
    getBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The business. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Business"];
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
    changeBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: components["schemas"]["BusinessName"];
                    timeZone?: components["schemas"]["TimeZone"];
                };
            };
        };
        responses: {
            /** @description The business. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Business"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOwnersFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ownersNeedSecondFactor: boolean;
                };
            };
        };
        responses: {
            /** @description The business. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Business"];
                };
            };
            /** @description The business. The end of the requirement waits for a second owner. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Business"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All members, in the order in which they joined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: components["schemas"]["Member"][];
                    };
                    "text/csv": string;
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
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The account. */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role: components["schemas"]["Role"];
                };
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description The member, unchanged: a second owner has to approve the role of owner. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The account. */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
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
    leaveBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Left. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
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
    listInvitations: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: components["schemas"]["Invitation"][];
                    };
                    "text/csv": string;
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
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    role: components["schemas"]["Role"];
                    delivery?: components["schemas"]["Delivery"];
                };
            };
        };
        responses: {
            /** @description The invitation. If it is not mailed, give the link to the invited person; it is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitation: components["schemas"]["Invitation"];
                        token: components["schemas"]["ShownToken"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is void. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nothing"];
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
    listKeys: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                state?: components["schemas"]["KeyState"];
                /** @description Active keys with a `refundAddressUntil`. */
                namesRefundAddresses?: boolean;
                /** @description Active keys with a `sentFromWalletsAt`. */
                unconfirmed?: boolean;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. A key's secret is never shown again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["ApiKey"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["KeyName"];
                    scope: components["schemas"]["Scope"];
                    allowedAddresses?: components["schemas"]["AllowedAddresses"];
                    requestsPerMinute?: components["schemas"]["RequestsPerMinute"];
                    permissions?: components["schemas"]["KeyPermissions"];
                    expiresAt?: components["schemas"]["KeyExpiry"];
                };
            };
        };
        responses: {
            /** @description The key. `secret` is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
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
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: components["schemas"]["KeyName"];
                    allowedAddresses?: components["schemas"]["AllowedAddresses"];
                    requestsPerMinute?: components["schemas"]["RequestsPerMinute"];
                    permissions?: components["schemas"]["KeyPermissions"];
                    expiresAt?: components["schemas"]["KeyExpiry"];
                };
            };
        };
        responses: {
            /** @description The key. The change applies from the next request on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How long the old key still works. */
                    overlapSeconds: number;
                };
            };
        };
        responses: {
            /** @description The new key, with the same scope and limits. The old one works until the overlap ends. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    allowWalletSends: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    allowed: boolean;
                };
            };
        };
        responses: {
            /** @description The key. The decision applies from the next request on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    allowRefundAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    allowed: boolean;
                };
            };
        };
        responses: {
            /** @description The key. The decision applies from the next request on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is refused from now on, forever. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
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
    listVerificationKeys: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, newest first. A key's secret is never shown again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["VerificationKey"][];
                    };
                    "text/csv": string;
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
    createVerificationKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["KeyName"];
                    kind: components["schemas"]["VerificationKeyKind"];
                    /** @description Web sites that may use a publishable key in a browser; none otherwise. */
                    origins?: components["schemas"]["WebOrigin"][];
                };
            };
        };
        responses: {
            /** @description The key. `secret` is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewVerificationKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateVerificationKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How long the old key still works. */
                    overlapSeconds: number;
                };
            };
        };
        responses: {
            /** @description The new key, of the same kind. The old one works until the overlap ends. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewVerificationKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setVerificationKeyOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All web sites that may use it in a browser from now on. */
                    origins: components["schemas"]["WebOrigin"][];
                };
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeVerificationKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is refused from now on, forever. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationKey"];
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
    listSenders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Wallets and keys with their limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Senders"];
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
    setWalletLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The stored wallet. */
                walletId: components["parameters"]["StoredWalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendLimits"];
            };
        };
        responses: {
            /** @description The limits. They apply to transfers that are requested from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentLimits"];
                };
            };
            /** @description The current limits: a second owner has to approve the requested ones. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendLimits"];
            };
        };
        responses: {
            /** @description The limits. They apply to transfers that are requested from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentLimits"];
                };
            };
            /** @description The current limits: a second owner has to approve the requested ones. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Only those that can be decided now. */
                waiting?: boolean;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendApprovals"];
                    "text/csv": string;
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
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The approval. */
                approvalId: components["parameters"]["ApprovalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "approved" | "refused";
                    /** @description Required to approve a payout or refund: the `revision` that you have seen. 409 `revision_outdated` if it has changed since. */
                    revision?: components["schemas"]["PayoutRevision"];
                };
            };
        };
        responses: {
            /** @description The approval, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendApproval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description IANA name of another zone than the business's, whose days are wanted. */
                timeZone?: string;
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
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
    getTill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its name, currency and networks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Till"];
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
    listTillSessions: {
        parameters: {
            query?: {
                /** @description IANA name of another zone whose today is wanted. */
                timeZone?: string;
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TillDay"];
                    "text/csv": string;
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
    createTillSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: the same key with the same body, byte for byte, returns the first answer again; with another body 422; while the
                 *     first is still running 409.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain: components["schemas"]["ChainName"];
                    token: components["schemas"]["TokenSymbol"];
                    amount?: components["schemas"]["Amount"];
                    localAmount?: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TillSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelTillSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The session. */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TillSession"];
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
    getSessionTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The session. */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["TimelineEntry"][];
                    };
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
    listExplorers: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One for each network that has one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        explorers: components["schemas"]["Explorer"][];
                    };
                    "text/csv": string;
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
    getAutopayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings, for every network and token that the deployment offers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Autopayout"];
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
    setAutopayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payouts": [
                 *         {
                 *           "chain": "polygon",
                 *           "token": "USDC",
                 *           "enabled": true,
                 *           "destinationId": "01a1f93f-821b-7439-bb21-110bf7cf8615"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    payouts: components["schemas"]["AutopayoutSetting"][];
                };
            };
        };
        responses: {
            /** @description The settings. They apply to sessions that are paid from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Autopayout"];
                };
            };
            /** @description The settings. New targets wait for a second owner. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Autopayout"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayoutBanks: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner's banks, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        banks: components["schemas"]["PayoutBank"][];
                    };
                    "text/csv": string;
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
    getPayoutSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutSettings"];
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
    setPayoutSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    coolingOffHours: components["schemas"]["CoolingOffHours"];
                    maxPerPayout?: components["schemas"]["DollarLimit"];
                    maxPerDay?: components["schemas"]["DollarLimit"];
                    approvalAbove?: components["schemas"]["DollarLimit"];
                    excessHoldDays?: components["schemas"]["ExcessHoldDays"];
                };
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutSettings"];
                };
            };
            /** @description The settings. What is looser waits for a second owner. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLegalProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LegalProfile"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setLegalProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As it is registered. */
                    businessName: components["schemas"]["LegalText"];
                    registrationNumber: string;
                    /**
                     * @description Of the registration, as ISO 3166-1 has it.
                     * @example NG
                     */
                    country: string;
                    address: components["schemas"]["LegalText"];
                    /**
                     * @description In the form of E.164.
                     * @example +2348012345678
                     */
                    phone: string;
                    email: components["schemas"]["Email"];
                };
            };
        };
        responses: {
            200: components["responses"]["LegalProfile"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPaymentSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSettings"];
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
    setPaymentSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    localCurrency: components["schemas"]["LocalCurrency"];
                    accepted: components["schemas"]["Accepted"];
                    tolerance?: components["schemas"]["Tolerance"];
                    returnHosts?: components["schemas"]["ReturnHosts"];
                };
            };
        };
        responses: {
            /** @description The settings. They apply to sessions that are created from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The file, in base64. */
                    image: string;
                };
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSettings"];
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
    getAutosweep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings, for every network and token that the deployment offers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Autosweep"];
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
    setAutosweep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sweeps": [
                 *         {
                 *           "chain": "polygon",
                 *           "token": "USDC",
                 *           "enabled": true,
                 *           "threshold": "25.5"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    sweeps: components["schemas"]["SweepSetting"][];
                };
            };
        };
        responses: {
            /** @description The settings. They apply to sweeps that begin from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Autosweep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSweeps: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                state?: components["schemas"]["SweepState"];
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sweeps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sweeps: components["schemas"]["Sweep"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFloats: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances of the treasury's own addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        floats: components["schemas"]["Float"][];
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
    listAudit: {
        parameters: {
            query?: {
                /** @description Part of an action, an actor, a target, an address, or of a value before or after. `total` is then 10,000 at most; a search that takes too long is refused with 400: search a shorter time. */
                q?: string;
                /** @description Only this action. */
                action?: string;
                /** @description Only of this account or key. */
                actorId?: string;
                /** @description At or after. */
                from?: string;
                /** @description Before. */
                to?: string;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AuditEntry"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
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
    listDeadJobs: {
        parameters: {
            query?: {
                queue?: components["schemas"]["QueueName"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobs: components["schemas"]["DeadJob"][];
                        total: number;
                        page: number;
                        limit: number;
                        totalPages: number;
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
    replayDeadJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is due. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedJobs"];
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
    replayDeadJobs: {
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
                 *       "queue": "session-payment"
                 *     }
                 */
                "application/json": {
                    queue: components["schemas"]["QueueName"];
                };
            };
        };
        responses: {
            /** @description The jobs are due. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedJobs"];
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
    listBusinesses: {
        parameters: {
            query?: {
                /** @description Only in this state of approval. */
                approval?: components["schemas"]["Approval"];
                /** @description Part of the name. */
                q?: string;
                /** @description Others than `opened` have no cursor: follow `page`. `volume`: of 30 days. */
                sortBy?: "opened" | "name" | "lastPayment" | "volume";
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of businesses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        businesses: components["schemas"]["OperatedBusiness"][];
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
    openBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["BusinessName"];
                    localCurrency?: components["schemas"]["LocalCurrency"];
                    timeZone?: components["schemas"]["TimeZone"];
                    ownerEmail: components["schemas"]["Email"];
                    delivery?: components["schemas"]["Delivery"];
                };
            };
        };
        responses: {
            /** @description The business, and the invitation of its owner. If it is not mailed, give the link to them; it is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        business: components["schemas"]["OperatedBusiness"];
                        token: components["schemas"]["ShownToken"];
                    };
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
    inviteOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ownerEmail: components["schemas"]["Email"];
                    delivery?: components["schemas"]["Delivery"];
                };
            };
        };
        responses: {
            /** @description The business, and the invitation of its owner. If it is not mailed, give the link to them; it is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        business: components["schemas"]["OperatedBusiness"];
                        token: components["schemas"]["ShownToken"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    viewBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The business. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedBusiness"];
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
    approveBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It may use production, and its held transfers resume. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedBusiness"];
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
    suspendBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Its keys and tokens are refused, and its queued transfers are held, until it is approved again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedBusiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHeldTransfers: {
        parameters: {
            query?: {
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of held transfers; empty if the business is not suspended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transfers: components["schemas"]["OperatedTransfer"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    giveUpTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The transfer. */
                transferId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transfer, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedTransfer"];
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
    listOperatedMembers: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All members, in the order in which they joined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: components["schemas"]["Member"][];
                    };
                    "text/csv": string;
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
    setFees: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    feePercent: components["schemas"]["Percent"];
                    fxMarginPercent: components["schemas"]["Percent"];
                };
            };
        };
        responses: {
            /** @description The business. The values apply to sessions that are created from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedBusiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setTimeZone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    timeZone: components["schemas"]["TimeZone"];
                };
            };
        };
        responses: {
            /** @description The business. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedBusiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setCaps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    monitoredAddresses?: components["schemas"]["Cap"];
                    openSessions?: components["schemas"]["Cap"];
                    endpointsPerHost?: components["schemas"]["Cap"];
                    deliveriesPerHost?: components["schemas"]["Cap"];
                    importBlocksPerDay?: components["schemas"]["Cap"];
                    replaysPerDay?: components["schemas"]["Cap"];
                    nodeQuestionsPerDay?: components["schemas"]["Cap"];
                };
            };
        };
        responses: {
            /** @description The business. It keeps what it already has above a cap. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedBusiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDefaultCaps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment's settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DefaultCaps"];
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
    listAllAudit: {
        parameters: {
            query?: {
                /** @description Only of this business. */
                businessId?: string;
                /** @description Part of an action, an actor, a target, an address, or of a value before or after. `total` is then 10,000 at most; a search that takes too long is refused with 400: search a shorter time. */
                q?: string;
                /** @description Only this action. */
                action?: string;
                /** @description Only of this account or key. */
                actorId?: string;
                /** @description At or after. */
                from?: string;
                /** @description Before. */
                to?: string;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AuditEntry"][];
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
    listPayoutPartners: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner that is configured, and those that were paused or had a balance before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        partners: components["schemas"]["PayoutPartner"][];
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
    pausePayoutPartner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout partner. */
                partner: components["parameters"]["PayoutPartnerName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Settlement of 24 November is late"
                 *     }
                 */
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The partner, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPartner"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumePayoutPartner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout partner. */
                partner: components["parameters"]["PayoutPartnerName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPartner"];
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
    listOperatedPlans: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All plans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plans: components["schemas"]["StakingPlan"][];
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
    createStakingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type?: components["schemas"]["StakingPlanType"];
                    chain: components["schemas"]["ChainName"];
                    /** @description A symbol, as USDC or ETH. */
                    token: string;
                    name: components["schemas"]["PlanName"];
                    description: components["schemas"]["PlanDescription"];
                    /** @description Simple rewards of a year, in percent; at most 1000. */
                    apy: components["schemas"]["PlanPercent"];
                    lockDays: number;
                    /** @description At most 100. */
                    penaltyPercent: components["schemas"]["PlanPercent"];
                    minAmount: components["schemas"]["Amount"];
                    maxAmount: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description The plan. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakingPlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeStakingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The staking plan. */
                planId: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: components["schemas"]["PlanName"];
                    description?: components["schemas"]["PlanDescription"];
                    /** @description Simple rewards of a year, in percent; at most 1000. */
                    apy?: components["schemas"]["PlanPercent"];
                    lockDays?: number;
                    /** @description At most 100. */
                    penaltyPercent?: components["schemas"]["PlanPercent"];
                    minAmount?: components["schemas"]["Amount"];
                    maxAmount?: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakingPlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopStakingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The staking plan. */
                planId: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakingPlan"];
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
    listVerificationPrices: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationPrices"];
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
    setVerificationPrice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    product: components["schemas"]["VerificationProduct"];
                    /**
                     * @description Of a verification
                     * @example NG
                     */
                    country?: string;
                    /**
                     * @description Of a verification
                     * @example passport
                     */
                    idType?: string;
                    /**
                     * @description US dollars; null: none.
                     * @example 0.25
                     */
                    price: string | null;
                };
            };
        };
        responses: {
            /** @description All prices, as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationPrices"];
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
    listVerificationsOfBusiness: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                status?: components["schemas"]["VerificationStatus"];
                /** @description Only of this country. */
                country?: string;
                /** @description Only of this kind of document. */
                idType?: string;
                /** @description Only of this request. */
                requestId?: string;
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
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
                        verifications: components["schemas"]["ShownVerification"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVerificationOfBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
                /** @description The verification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownVerification"];
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
    getCollectionOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner's channels now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionOptions"];
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
    listLedgerMonths: {
        parameters: {
            query?: {
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The months. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        months: components["schemas"]["LedgerMonth"][];
                    };
                    "text/csv": string;
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
    closeLedgerMonth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "month": "2026-11"
                 *     }
                 */
                "application/json": {
                    month: string;
                    /** @description The business's, where the caller wants to be sure that it is still this one. */
                    timeZone?: string;
                };
            };
        };
        responses: {
            /** @description The month. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerMonth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAdjustments: {
        parameters: {
            query?: {
                /** @description Only in this state. */
                state?: components["schemas"]["AdjustmentState"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of adjustments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        adjustments: components["schemas"]["Adjustment"][];
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
    proposeAdjustment: {
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
                 *       "businessId": "01a1f93f-821b-7439-bb21-110bf7cf8615",
                 *       "debit": "capital",
                 *       "credit": "available",
                 *       "asset": "polygon:USDC",
                 *       "amount": "12.5",
                 *       "reason": "Refund of a fee"
                 *     }
                 */
                "application/json": {
                    /** @description With `available` or `credit`, the business that has it; otherwise left out. */
                    businessId?: string;
                    debit: components["schemas"]["AdjustedAccount"];
                    credit: components["schemas"]["AdjustedAccount"];
                    /** @description As `polygon:USDC`, or `USD` of a partner's account and of prepaid credit. */
                    asset: string;
                    amount: components["schemas"]["Amount"];
                    reason: components["schemas"]["AdjustmentReason"];
                };
            };
        };
        responses: {
            /** @description It waits for another operator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideAdjustment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The adjustment. */
                adjustmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "approved" | "refused";
                };
            };
        };
        responses: {
            /** @description The adjustment, as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuspense: {
        parameters: {
            query?: {
                /** @description `held`: in suspense. `given`: to a business, or booked as the operator's. `returning`, `returned`: it goes, or went, back. `reverted`: a fork took it back. Default: all. */
                state?: "held" | "given" | "returning" | "returned" | "reverted";
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description The `nextCursor` of the page before in the same list. */
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
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payments: components["schemas"]["SuspendedPayment"][];
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
    proposeAssignment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    businessId?: string;
                    /** @enum {string} */
                    account?: "rewards" | "capital";
                    reason: components["schemas"]["AdjustmentReason"];
                };
            };
        };
        responses: {
            /** @description It waits for another operator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    proposeReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The sender may be an exchange: it is never assumed. */
                    toAddress: string;
                    memo?: string;
                    /** @enum {string} */
                    memoType?: "text" | "id" | "hash";
                    reason: components["schemas"]["AdjustmentReason"];
                };
            };
        };
        responses: {
            /** @description It waits for another operator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCloses: {
        parameters: {
            query?: {
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation. */
                sort?: components["parameters"]["Sort"];
                /** @description Of CSV: starts the file with a byte order mark, so that spreadsheets read it as UTF-8. */
                bom?: components["parameters"]["Bom"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of closes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        closes: components["schemas"]["LedgerClose"][];
                        total: number;
                        page: number;
                        limit: number;
                        totalPages: number;
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
    estimatePayout: {
        parameters: {
            query: {
                /** @description Of the source. */
                chain: components["schemas"]["ChainName"];
                /** @description Of the source. */
                token: components["schemas"]["TokenSymbol"];
                /** @description Of the source token, fee included. */
                amount: components["schemas"]["Amount"];
                /** @description The payout destination to estimate for. */
                destinationId: string;
            };
            header?: never;
            path: {
                /** @description The business. */
                businessId: components["parameters"]["BusinessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutEstimate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}

/** What programs may call. */
export type ApiOperations = Pick<
    operations,
    | 'login'
    | 'getMe'
    | 'getSigningKeys'
    | 'quoteSession'
    | 'streamSessionQuote'
    | 'listAllNetworks'
    | 'listNetworks'
    | 'listBanks'
    | 'listSessions'
    | 'createSession'
    | 'getSession'
    | 'changeSession'
    | 'cancelSession'
    | 'resolveSession'
    | 'listPaymentLinks'
    | 'createPaymentLink'
    | 'getPaymentLink'
    | 'changePaymentLink'
    | 'lookAtPaymentLink'
    | 'payByLink'
    | 'getCheckout'
    | 'listMonitoredAddresses'
    | 'monitorAddress'
    | 'removeMonitoredAddress'
    | 'monitorAddresses'
    | 'getMonitoredAddress'
    | 'changeMonitoredAddress'
    | 'getOpeningBalance'
    | 'getMonitoringAddition'
    | 'listAddedAddresses'
    | 'listMonitoringImports'
    | 'getMonitoringImport'
    | 'listWebhookEndpoints'
    | 'createWebhookEndpoint'
    | 'getWebhookEndpoint'
    | 'changeWebhookEndpoint'
    | 'removeWebhookEndpoint'
    | 'rotateWebhookSecret'
    | 'testWebhookEndpoint'
    | 'pauseWebhookEndpoint'
    | 'resumeWebhookEndpoint'
    | 'listWebhooks'
    | 'replayWebhooks'
    | 'getWebhook'
    | 'replayWebhook'
    | 'listEvents'
    | 'getEvent'
    | 'explainTransaction'
    | 'getFinality'
    | 'setFinality'
    | 'listBalances'
    | 'listLedgerEntries'
    | 'getLedgerStatement'
    | 'generateWallet'
    | 'readBalance'
    | 'listWallets'
    | 'storeWallet'
    | 'getWallet'
    | 'renameWallet'
    | 'archiveWallet'
    | 'sendFromWallet'
    | 'createTransfer'
    | 'estimateTransfer'
    | 'prepareTransfer'
    | 'submitTransfer'
    | 'listTransfers'
    | 'getTransfer'
    | 'cancelTransfer'
    | 'quoteSwap'
    | 'streamSwapQuote'
    | 'executeSwap'
    | 'listSwaps'
    | 'getSwap'
    | 'createBridgeTransfer'
    | 'estimateBridgeTransfer'
    | 'getBridgeTransfer'
    | 'listBridgeTransfers'
    | 'listStakingPlans'
    | 'createStake'
    | 'listStakes'
    | 'getStake'
    | 'unstake'
    | 'withdrawStake'
    | 'lookAtRefundClaim'
    | 'claimRefund'
    | 'listRefunds'
    | 'createRefund'
    | 'getRefund'
    | 'cancelRefund'
    | 'listPayouts'
    | 'createPayout'
    | 'getPayout'
    | 'cancelPayout'
    | 'approvePayout'
    | 'confirmPayoutPrice'
    | 'markPayoutPaid'
    | 'listPayoutDestinations'
    | 'createPayoutDestination'
    | 'getPayoutDestination'
    | 'archivePayoutDestination'
    | 'listCollections'
    | 'createCollection'
    | 'getCollection'
    | 'cancelCollection'
    | 'refreshCollection'
    | 'receiveYellowCardWebhook'
    | 'getLiveness'
    | 'getReadiness'
>

/** What the dashboard may call: operations of its own, and those of programs for a selected business. */
export interface DashboardOperations extends Pick<
    operations,
    | 'signIn'
    | 'beginPasskeySignIn'
    | 'getSignInHelp'
    | 'requestReset'
    | 'signOut'
    | 'signOutEverywhere'
    | 'getAccount'
    | 'changeAccount'
    | 'chooseDefaultBusiness'
    | 'proveAddress'
    | 'changePassword'
    | 'confirmFactor'
    | 'beginTotp'
    | 'enableTotp'
    | 'disableTotp'
    | 'listPasskeys'
    | 'addPasskey'
    | 'beginPasskey'
    | 'beginPasskeyConfirmation'
    | 'renamePasskey'
    | 'removePasskey'
    | 'renewRecoveryCodes'
    | 'listSignIns'
    | 'revokeSignIn'
    | 'lookAtInvitation'
    | 'acceptInvitation'
    | 'joinByInvitation'
    | 'createBusiness'
    | 'getBusiness'
    | 'changeBusiness'
    | 'setOwnersFactor'
    | 'listMembers'
    | 'changeMember'
    | 'removeMember'
    | 'leaveBusiness'
    | 'listInvitations'
    | 'inviteMember'
    | 'revokeInvitation'
    | 'listKeys'
    | 'createKey'
    | 'getKey'
    | 'changeKey'
    | 'rotateKey'
    | 'allowWalletSends'
    | 'allowRefundAddresses'
    | 'revokeKey'
    | 'listVerificationKeys'
    | 'createVerificationKey'
    | 'rotateVerificationKey'
    | 'setVerificationKeyOrigins'
    | 'revokeVerificationKey'
    | 'listSenders'
    | 'setWalletLimits'
    | 'setKeyLimits'
    | 'listApprovals'
    | 'decideApproval'
    | 'getOverview'
    | 'getTill'
    | 'listTillSessions'
    | 'createTillSession'
    | 'cancelTillSession'
    | 'getSessionTimeline'
    | 'listExplorers'
    | 'getAutopayout'
    | 'setAutopayout'
    | 'listPayoutBanks'
    | 'getPayoutSettings'
    | 'setPayoutSettings'
    | 'getLegalProfile'
    | 'setLegalProfile'
    | 'getPaymentSettings'
    | 'setPaymentSettings'
    | 'setLogo'
    | 'removeLogo'
    | 'getAutosweep'
    | 'setAutosweep'
    | 'listSweeps'
    | 'listFloats'
    | 'listAudit'
    | 'getHealth'
    | 'listDeadJobs'
    | 'replayDeadJob'
    | 'replayDeadJobs'
    | 'listBusinesses'
    | 'openBusiness'
    | 'inviteOwner'
    | 'viewBusiness'
    | 'approveBusiness'
    | 'suspendBusiness'
    | 'listHeldTransfers'
    | 'giveUpTransfer'
    | 'listOperatedMembers'
    | 'setFees'
    | 'setTimeZone'
    | 'setCaps'
    | 'getDefaultCaps'
    | 'listAllAudit'
    | 'listPayoutPartners'
    | 'pausePayoutPartner'
    | 'resumePayoutPartner'
    | 'listOperatedPlans'
    | 'createStakingPlan'
    | 'changeStakingPlan'
    | 'stopStakingPlan'
    | 'listVerificationPrices'
    | 'setVerificationPrice'
    | 'listVerificationsOfBusiness'
    | 'getVerificationOfBusiness'
    | 'getCollectionOptions'
    | 'listLedgerMonths'
    | 'closeLedgerMonth'
    | 'listAdjustments'
    | 'proposeAdjustment'
    | 'decideAdjustment'
    | 'listSuspense'
    | 'proposeAssignment'
    | 'proposeReturn'
    | 'listCloses'
    | 'estimatePayout'
> {
    listSessionsOfBusiness: OfBusiness<operations['listSessions']>
    createSessionOfBusiness: OfBusiness<operations['createSession'], never>
    getSessionOfBusiness: OfBusiness<operations['getSession']>
    cancelSessionOfBusiness: OfBusiness<operations['cancelSession']>
    resolveSessionOfBusiness: OfBusiness<operations['resolveSession']>
    listPaymentLinksOfBusiness: OfBusiness<operations['listPaymentLinks']>
    createPaymentLinkOfBusiness: OfBusiness<operations['createPaymentLink'], never>
    getPaymentLinkOfBusiness: OfBusiness<operations['getPaymentLink']>
    changePaymentLinkOfBusiness: OfBusiness<operations['changePaymentLink']>
    listMonitoredAddressesOfBusiness: OfBusiness<operations['listMonitoredAddresses']>
    monitorAddressOfBusiness: OfBusiness<operations['monitorAddress']>
    removeMonitoredAddressOfBusiness: OfBusiness<operations['removeMonitoredAddress']>
    monitorAddressesOfBusiness: OfBusiness<operations['monitorAddresses']>
    getMonitoredAddressOfBusiness: OfBusiness<operations['getMonitoredAddress']>
    changeMonitoredAddressOfBusiness: OfBusiness<operations['changeMonitoredAddress']>
    getOpeningBalanceOfBusiness: OfBusiness<operations['getOpeningBalance']>
    getMonitoringAdditionOfBusiness: OfBusiness<operations['getMonitoringAddition']>
    listAddedAddressesOfBusiness: OfBusiness<operations['listAddedAddresses']>
    listMonitoringImportsOfBusiness: OfBusiness<operations['listMonitoringImports']>
    getMonitoringImportOfBusiness: OfBusiness<operations['getMonitoringImport']>
    listWebhookEndpointsOfBusiness: OfBusiness<operations['listWebhookEndpoints']>
    createWebhookEndpointOfBusiness: OfBusiness<operations['createWebhookEndpoint']>
    getWebhookEndpointOfBusiness: OfBusiness<operations['getWebhookEndpoint']>
    changeWebhookEndpointOfBusiness: OfBusiness<operations['changeWebhookEndpoint']>
    removeWebhookEndpointOfBusiness: OfBusiness<operations['removeWebhookEndpoint']>
    rotateWebhookSecretOfBusiness: OfBusiness<operations['rotateWebhookSecret']>
    testWebhookEndpointOfBusiness: OfBusiness<operations['testWebhookEndpoint']>
    pauseWebhookEndpointOfBusiness: OfBusiness<operations['pauseWebhookEndpoint']>
    resumeWebhookEndpointOfBusiness: OfBusiness<operations['resumeWebhookEndpoint']>
    listWebhooksOfBusiness: OfBusiness<operations['listWebhooks']>
    replayWebhooksOfBusiness: OfBusiness<operations['replayWebhooks']>
    getWebhookOfBusiness: OfBusiness<operations['getWebhook']>
    replayWebhookOfBusiness: OfBusiness<operations['replayWebhook']>
    listEventsOfBusiness: OfBusiness<operations['listEvents']>
    getEventOfBusiness: OfBusiness<operations['getEvent']>
    explainTransactionOfBusiness: OfBusiness<operations['explainTransaction']>
    listBalancesOfBusiness: OfBusiness<operations['listBalances']>
    listLedgerEntriesOfBusiness: OfBusiness<operations['listLedgerEntries']>
    getLedgerStatementOfBusiness: OfBusiness<operations['getLedgerStatement']>
    generateWalletOfBusiness: OfBusiness<operations['generateWallet']>
    readBalanceOfBusiness: OfBusiness<operations['readBalance']>
    listWalletsOfBusiness: OfBusiness<operations['listWallets']>
    storeWalletOfBusiness: OfBusiness<operations['storeWallet']>
    getWalletOfBusiness: OfBusiness<operations['getWallet']>
    renameWalletOfBusiness: OfBusiness<operations['renameWallet']>
    archiveWalletOfBusiness: OfBusiness<operations['archiveWallet']>
    sendFromWalletOfBusiness: OfBusiness<operations['sendFromWallet'], never>
    estimateTransferOfBusiness: OfBusiness<operations['estimateTransfer']>
    listTransfersOfBusiness: OfBusiness<operations['listTransfers']>
    getTransferOfBusiness: OfBusiness<operations['getTransfer']>
    cancelTransferOfBusiness: OfBusiness<operations['cancelTransfer']>
    listSwapsOfBusiness: OfBusiness<operations['listSwaps']>
    getSwapOfBusiness: OfBusiness<operations['getSwap']>
    createBridgeTransferOfBusiness: OfBusiness<operations['createBridgeTransfer'], never>
    estimateBridgeTransferOfBusiness: OfBusiness<operations['estimateBridgeTransfer']>
    getBridgeTransferOfBusiness: OfBusiness<operations['getBridgeTransfer']>
    listBridgeTransfersOfBusiness: OfBusiness<operations['listBridgeTransfers']>
    listStakingPlansOfBusiness: OfBusiness<operations['listStakingPlans']>
    listStakesOfBusiness: OfBusiness<operations['listStakes']>
    getStakeOfBusiness: OfBusiness<operations['getStake']>
    listRefundsOfBusiness: OfBusiness<operations['listRefunds']>
    createRefundOfBusiness: OfBusiness<operations['createRefund'], never>
    getRefundOfBusiness: OfBusiness<operations['getRefund']>
    cancelRefundOfBusiness: OfBusiness<operations['cancelRefund']>
    listPayoutsOfBusiness: OfBusiness<operations['listPayouts']>
    createPayoutOfBusiness: OfBusiness<operations['createPayout'], never>
    getPayoutOfBusiness: OfBusiness<operations['getPayout']>
    cancelPayoutOfBusiness: OfBusiness<operations['cancelPayout']>
    approvePayoutOfBusiness: OfBusiness<operations['approvePayout']>
    confirmPayoutPriceOfBusiness: OfBusiness<operations['confirmPayoutPrice']>
    markPayoutPaidOfBusiness: OfBusiness<operations['markPayoutPaid'], never>
    listPayoutDestinationsOfBusiness: OfBusiness<operations['listPayoutDestinations']>
    createPayoutDestinationOfBusiness: OfBusiness<operations['createPayoutDestination']>
    getPayoutDestinationOfBusiness: OfBusiness<operations['getPayoutDestination']>
    archivePayoutDestinationOfBusiness: OfBusiness<operations['archivePayoutDestination']>
    listCollectionsOfBusiness: OfBusiness<operations['listCollections']>
    createCollectionOfBusiness: OfBusiness<operations['createCollection'], never>
    getCollectionOfBusiness: OfBusiness<operations['getCollection']>
    cancelCollectionOfBusiness: OfBusiness<operations['cancelCollection']>
    refreshCollectionOfBusiness: OfBusiness<operations['refreshCollection']>
}

interface WithParameters {
    parameters: { path?: unknown, header?: unknown }
}
type OfBusiness<Op extends WithParameters, Without extends string = 'Idempotency-Key'> = {
    [Part in keyof Op]: Part extends 'parameters' ? InBusiness<Op['parameters'], Without> : Op[Part]
}
type InBusiness<P extends WithParameters['parameters'], Without extends string> = Omit<P, 'path' | 'header'> & {
    path: BusinessPath & ([NonNullable<P['path']>] extends [never] ? unknown : P['path'])
    header?: [NonNullable<P['header']>] extends [never] ? never : Omit<NonNullable<P['header']>, Without>
}
interface BusinessPath {
    businessId: components['parameters']['BusinessId']
}
