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
        /** @description A public key as a JSON Web Key (RFC 7517). */
        PublicKey: {
            /** @description The id that a token's header names its key by. */
            kid: string;
            /** @description The family of the key, as RFC 7518 has it. */
            kty: string;
            /** @description The algorithm of its signatures. */
            alg: string;
            /** @description `sig`: it verifies signatures. */
            use: string;
        };
        /**
         * @description An email address. Upper and lower case are the same.
         * @example ada@example.com
         */
        Email: string;
        /** @description The account's password. */
        GivenPassword: string;
        /** @description The six digits of the authenticator, if the account uses one. */
        TotpCode: string;
        /** @description Instead of `totp`; each works once. */
        RecoveryCode: string;
        /** @description A person's account. */
        AccountName: {
            /**
             * Format: uuid
             * @description The account's id.
             */
            id: string;
            /** @description The address that the person signs in with. */
            email: string;
        };
        /**
         * @description What the operator decided about the business. Its keys and tokens are refused while it is `suspended`, and on mainnets until it is `approved`.
         * @enum {string}
         */
        Approval: "pending" | "approved" | "suspended";
        /** @description In units of the token; an amount of just that is possible. Null, the default: no limit. */
        SessionAmountLimit: components["schemas"]["Amount"] | null;
        /** @description The smallest and largest amount of a session. */
        SessionAmountLimits: {
            /** @description One for a token, or for a token on a chain. */
            limits: {
                /**
                 * @description The token that is limited.
                 * @example USDC
                 */
                token: string;
                /** @description Null: all chains that have no limit of their own for the token. */
                chain: string | null;
                /** @description In units of the token; null: no limit. */
                min: string | null;
                /** @description In units of the token; null: no limit. */
                max: string | null;
            }[];
        };
        /** @description What a session would cost its customer, and its price for you. */
        Quote: {
            /** @description Hand it to create-session to get this price. */
            quoteId: string;
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Amount of the token that the customer sends. */
            amount: string;
            /** @description Null without a currency or a current rate. */
            localAmount: string | null;
            /** @description ISO 4217 code of `localAmount`; null without a currency. */
            localCurrency: string | null;
            /** @description Units of `localCurrency` for one token; null without a rate. */
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
            /** @description ISO 4217 code, or the token: what `fee` is in. */
            feeCurrency: string;
            /** @description Percent. */
            fxMargin: string;
            /**
             * Format: date-time
             * @description Until then a session can be created at this price.
             */
            expiresAt: string;
        };
        /**
         * @description The kind of a memo on Stellar, as the network has it.
         * @enum {string}
         */
        MemoType: "text" | "id" | "hash" | "return";
        /**
         * @description `pending`: it waits for its payment. `paid`: enough came and is confirmed. `paid_out`: its automatic payout is completed. `expired`: not paid in time. `cancelled`: you cancelled it.
         * @enum {string}
         */
        SessionStatus: "pending" | "paid" | "paid_out" | "expired" | "cancelled";
        /**
         * @description The most serious difference from the expected payment. The money is credited to you anyway.
         * @enum {string}
         */
        SessionException: "none" | "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
        /** @description A payment that you expect. */
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
            /** @description Gets the events of this session, signed with the secret of your callbacks, in addition to your endpoints: a URL as of an endpoint, whose host is one of your callback hosts (`PUT /webhook-callbacks`). */
            webhookUrl?: string;
        };
        /** @description What changes; what is left out stays. */
        ChangeSession: {
            /** @description Replaces the metadata; null removes them. */
            metadata: components["schemas"]["SessionMetadata"] | null;
        };
        /** @description Your own JSON object, up to 4 kB. */
        SessionMetadata: {
            [key: string]: unknown;
        };
        /** @description A payment that you expect: a deposit address, the amount, and what came so far. */
        Session: {
            /** @description The session's id. */
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
            /**
             * Format: date-time
             * @description Until then a payment counts; a later one is an exception, `late`.
             */
            expiresAt: string;
            /** @description Shown to people; null: not set. */
            label: string | null;
            /** @description Your own id; null: not set. */
            reference: string | null;
            /** @description Your own JSON object; null: not set. */
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
            /** @description Only where you gave it, and never in an event: other receivers get those. */
            webhookUrl?: string;
            /** @description What `amountExpected` is worth in `localCurrency`; null without a currency or rate. */
            localAmount: string | null;
            /** @description ISO 4217 code; null without a currency. */
            localCurrency: string | null;
            /** @description Units of `localCurrency` for one token; null without a rate. */
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
            /** @description What `fee` is in: an ISO 4217 code, or the token. */
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
            /** @description Payments that came to the address, the oldest first; reverted ones are among them. */
            payments: components["schemas"]["SessionPayment"][];
            /** @description Only in events: how many of the oldest payments are left out, because a body cannot hold all. */
            paymentsOmitted?: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was paid; null: it is not.
             */
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
            /** @description In whole tokens. */
            amount: string;
            /**
             * Format: date-time
             * @description Until then it is held; then it is available.
             */
            until: string;
        };
        /** @description A payment that came to the address of a session. */
        SessionPayment: {
            /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
            txId: string;
            chain: components["schemas"]["ChainName"];
            /** @description USDC or USDT, or another asset that came instead: the native coin, or a bridged token such as USDC.e. */
            token: string;
            /** @description In whole coins or tokens. */
            amount: string;
            /** @description The sender's address. */
            from: string;
            /** @description The customer's memo, if the payment has one. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            /** @description The block's number on the chain; a slot on solana. */
            blockHeight: number;
            /**
             * Format: date-time
             * @description The time in the block.
             */
            blockTime: string;
            /**
             * @description `seen`: in a block, and not confirmed. `confirmed`: final by the session's rule. `reverted`: its block was removed.
             * @enum {string}
             */
            status: "seen" | "confirmed" | "reverted";
            /**
             * @description How it differs from what was expected: too late, another token, or another chain.
             * @enum {string}
             */
            exception: "none" | "late" | "wrong_token" | "wrong_chain";
            /** @description How deep its block is, including itself; 0 once it is reverted. */
            confirmations: number;
            /** @description Null: the chain must call the block finalized. */
            requiredConfirmations: number | null;
        };
        /**
         * @description `used`: as many of its sessions as `maxSessions` are paid, or have a payment under way.
         * @enum {string}
         */
        PaymentLinkStatus: "active" | "disabled" | "expired" | "used";
        /** @description A text for people or of yours. */
        PaymentLinkText: string;
        /** @description A token on a chain, with what one payment may be. */
        PayableChoice: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description The least that the business takes with one payment, in the token; absent: no limit. */
            min?: string;
            /** @description The most, in the token; absent: no limit. */
            max?: string;
        };
        /** @description A token on a chain. */
        AcceptedChoice: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
        };
        /**
         * @description A payment link: an address where customers choose how to pay.
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
        /** @description What changes; what is left out stays. */
        ChangePaymentLink: {
            /** @description Switches it off, or on again. */
            disabled?: boolean;
            /** @description Shown to people; null removes it. */
            label?: components["schemas"]["PaymentLinkText"] | null;
        };
        /** @description The customer names the amount. */
        OpenAmount: {
            /** @description Null: in the token. */
            localCurrency: string | null;
            /** @description The least amount; null: any. */
            min: string | null;
            /** @description The greatest amount; null: any. */
            max: string | null;
        };
        /** @description A payment link. */
        PaymentLink: {
            /** @description The link's id. */
            id: string;
            /** @description The page where customers choose. Who has it can pay. */
            url: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description In the token; null if it is a fiat amount, or open. */
            amount: string | null;
            /** @description A fiat amount, converted at each choice; null without one. */
            localAmount: string | null;
            /** @description Of `localAmount`; null without one. */
            localCurrency: string | null;
            /** @description Null: the amount is given. */
            openAmount: components["schemas"]["OpenAmount"] | null;
            /** @description Null: all that you accept. */
            accept: components["schemas"]["AcceptedChoice"][] | null;
            /** @description Shown to people; null: not set. */
            label: string | null;
            /** @description Your own id, which its sessions have too; null: not set. */
            reference: string | null;
            /**
             * Format: date-time
             * @description From then on it takes no payments.
             */
            expiresAt: string;
            /** @description How long each of its sessions waits for its payment. */
            expirySeconds: number;
            /** @description How many of its sessions may be paid or under way; null: any number. */
            maxSessions: number | null;
            /** @description How many it has made. */
            sessions: number;
            /** @description How many of them are paid. */
            paidSessions: number;
            /**
             * Format: date-time
             * @description Since when it is switched off; null: it is not.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /** @description A payment link as its customer sees it. */
        PayableLink: {
            /** @description The name of the business. */
            merchant: string;
            /** @description Shown to people; null: not set. */
            label: string | null;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description In the token, whichever is chosen; null if it is a fiat amount, or open. */
            amount: string | null;
            /** @description A fiat amount, converted at each choice; null without one. */
            localAmount: string | null;
            /** @description Of `localAmount`, as ISO 4217 has it; null without one. */
            localCurrency: string | null;
            /** @description Null: the amount is given. */
            openAmount: {
                /** @description Null: in the token. */
                localCurrency: string | null;
                /** @description How many the amount may have. */
                decimals: number;
                /** @description The least amount; null: any. */
                min: string | null;
                /** @description The greatest amount; null: any. */
                max: string | null;
            } | null;
            /** @description Networks and tokens that take a payment now. */
            choices: components["schemas"]["PayableChoice"][];
        };
        /** @description A payment session as its customer sees it. */
        Checkout: {
            /** @description The name of the business. */
            merchant: string;
            /** @description The path of the business's logo, if it has one. */
            logo?: string;
            /** @description Shown to people; null: not set. */
            label: string | null;
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Where the customer sends the money. */
            address: string;
            /** @description Only on Stellar. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            /** @description `address` and `memo` in one, for wallets that take this form. */
            muxedAddress?: string;
            /** @description Exact amount of the token to send. */
            amountExpected: string;
            /** @description The amount seen so far, including late money. */
            amountReceived: string;
            /** @description The rest to pay of a pending session; zero once enough was seen. */
            amountMissing: string;
            /** @description What `amountExpected` is worth in `localCurrency`; null without a currency or rate. */
            localAmount: string | null;
            /** @description ISO 4217 code; null without a currency. */
            localCurrency: string | null;
            /** @description For a wallet, of the rest to pay. */
            paymentUri: string;
            status: components["schemas"]["SessionStatus"];
            exception: components["schemas"]["SessionException"];
            /** @description The chain took a payment back, and the session is not paid. */
            isReversed: boolean;
            /** @description Of the least confirmed payment, up to `requiredConfirmations`. */
            confirmations: number;
            /** @description How deep a payment's block must be, including itself; used instead if `finality` is `finalized` and no node reports finality. */
            requiredConfirmations: number;
            /**
             * @description `finalized`: the chain must call the payment's block finalized.
             * @enum {string}
             */
            finality: "confirmations" | "finalized";
            /** @description The payments that came to the address so far, with reverted ones. */
            payments: {
                /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
                txId: string;
                chain: components["schemas"]["ChainName"];
                /** @description USDC or USDT, or another asset that came instead: the native coin, or a bridged token such as USDC.e. */
                token: string;
                /** @description In whole coins or tokens. */
                amount: string;
                /**
                 * Format: date-time
                 * @description The time in the block.
                 */
                blockTime: string;
                /**
                 * @description `seen`: in a block, and not confirmed. `confirmed`: final by the session's rule. `reverted`: its block was removed.
                 * @enum {string}
                 */
                status: "seen" | "confirmed" | "reverted";
                /**
                 * @description How it differs from what was expected: too late, another token, or another chain.
                 * @enum {string}
                 */
                exception: "none" | "late" | "wrong_token" | "wrong_chain";
            }[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until then a payment counts; a later one is an exception, `late`.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was paid; null: it is not.
             */
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
        /** @description An address whose movements are reported to you. */
        MonitoredAddress: {
            /** @description Its id. */
            id: string;
            /** @description The chain that it is monitored on. */
            chain: string;
            /** @description The address, in the form that the chain shows. */
            address: string;
            /** @description The business that monitors it. */
            businessId: string;
            /**
             * @description `known`: the native coin and the tokens that Cowry knows. `all`: every token.
             * @enum {string}
             */
            tokens: "known" | "all";
            /** @description Your metadata; null: not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The first block whose movements are reported; null if the chain had not been read yet. */
            fromBlock: number | null;
            /**
             * Format: date-time
             * @description When it was added.
             */
            createdAt: string;
            /** @description In the answer to an addition with `fromBlock`: the import that reads the blocks since. */
            importId?: string;
        };
        /** @description What an address had before its first reported block. */
        OpeningBalance: {
            /** @description The block before `fromBlock`: the balance is that after it; null if there is none, or it is not known yet. */
            block: number | null;
            /** @description The native coin; null: `reason` says why. */
            native: components["schemas"]["OpeningAmount"] | null;
            /** @description Tokens that Cowry knows; null together with `native`. */
            tokens: {
                /** @description The token's contract, or `CODE:ISSUER`. */
                contract: string;
                /** @description The token's symbol. */
                symbol: string;
                /** @description How many decimals the token has. */
                decimals: number;
                /** @description Null if the token refused to answer at that block. */
                balance: string | null;
                /** @description The same in the smallest units; null like `balance`. */
                baseUnits: string | null;
            }[] | null;
            /**
             * @description Why there is no balance; null if there is one. `not_read_yet`: the chain had not been read when the address was added. `no_block_before`: `fromBlock` is 0.
             *     `no_history`: nodes of this chain answer no balance of a past block (solana, tron, stellar). `state_not_kept`: the deployment's nodes
             *     do not keep the state of that block; an archive node does.
             * @enum {string|null}
             */
            reason: "not_read_yet" | "no_block_before" | "no_history" | "state_not_kept" | null;
        };
        /** @description An amount of the native coin. */
        OpeningAmount: {
            /** @description The coin's symbol. */
            symbol: string;
            /** @description How many decimals the coin has. */
            decimals: number;
            /** @description In whole coins. */
            balance: string;
            /** @description The same in the smallest units, a whole number. */
            baseUnits: string;
        };
        /** @description What an addition did. */
        MonitoredAddresses: {
            /** @description How many were not monitored before. */
            added: number;
            /** @description Already monitored; they stay unchanged. */
            existing: number;
            /** @description With `fromBlock`: the import that reads the blocks since; null without. */
            importId: string | null;
            /** @description The addresses, in the order of the request. */
            addresses: {
                /** @description The monitored address's id. */
                id: string;
                /** @description In its shown form. */
                address: string;
                /** @description Whether it was not monitored before. */
                created: boolean;
            }[];
        };
        /** @description An addition of many addresses, which goes on in the background. */
        MonitoringAddition: {
            /** @description The addition's id. */
            id: string;
            /** @description The chain of its addresses. */
            chain: string;
            /**
             * @description `pending`: waiting to be processed. `running`: its addresses are stored, but not monitored yet. `completed`: all are monitored.
             *     `failed`: its addresses are not monitored, and `lastError` says why.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /** @description Addresses of the request. */
            total: number;
            /** @description The share that is done: 0 to 1. */
            progress: number;
            /** @description How many were not monitored before; null until it is completed. */
            added: number | null;
            /** @description How many were already monitored, and stay unchanged; null until it is completed. */
            existing: number | null;
            /** @description With a `fromBlock`: the import that reads the blocks since; null if there is nothing to read. */
            importId: string | null;
            /** @description Why it is being retried, or why it failed; null: no error. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed; null: it is not.
             */
            completedAt: string | null;
        };
        /** @description One address of an addition. */
        AddedAddress: {
            /** @description Null until the addition is completed. */
            id: string | null;
            /** @description In its shown form. */
            address: string;
            /** @description Whether it was not monitored before; null until the addition is completed. */
            created: boolean | null;
        };
        /** @description Reading blocks again, for movements before an address was monitored. */
        MonitoringImport: {
            /** @description The import's id. */
            id: string;
            /** @description The chain that is read. */
            chain: string;
            /** @description The first block to read. */
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
            /** @description The share of its blocks that is read: 0 to 1. */
            progress: number;
            /** @description Why it is being retried, or why it failed; null: no attempt failed. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed; null: it is not.
             */
            completedAt: string | null;
        };
        /** @description A host that the `webhookUrl` of sessions may have, and how its deliveries fare. */
        CallbackHost: {
            /**
             * @description As you listed it, in lower case.
             * @example shop.example.com
             */
            host: string;
            /** @description The `endpointId` of its deliveries. */
            id: string;
            /**
             * Format: date-time
             * @description Every attempt since then has failed; null: the last one did not.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Null: it took nothing yet.
             */
            lastDeliveredAt: string | null;
            /** @description Of its last failed attempt; null: it has not failed. */
            lastError: string | null;
            /** @description Deliveries that are still to be made. */
            waiting: number;
        };
        /** @description Where the `webhookUrl` of sessions may lead. */
        WebhookCallbacks: {
            /** @description The listed hosts. */
            hosts: components["schemas"]["CallbackHost"][];
            /**
             * Format: date-time
             * @description Until then callbacks are also signed with the previous secret; null: they are not.
             */
            previousSecretUntil: string | null;
        };
        /** @description The same, with a secret that was made by the request. */
        WebhookCallbacksWithSecret: {
            /** @description The listed hosts. */
            hosts: components["schemas"]["CallbackHost"][];
            /**
             * Format: date-time
             * @description Until then callbacks are also signed with the previous secret; null: they are not.
             */
            previousSecretUntil: string | null;
            /** @description The signing secret, shown only here; null where the request made no secret. */
            secret: string | null;
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
        /** @description Only events of these chains; null, the default: of all. Events without a chain, such as those of your endpoints, come all the same. A change counts for later events. */
        EndpointChains: components["schemas"]["ChainName"][] | null;
        /** @description Only events of these tokens, such as `USDC`; null, the default: of all. Events without a token come all the same. */
        EndpointTokens: string[] | null;
        /** @description Only events whose `reference` begins with it; null, the default: all. Events whose data have no such field come all the same; those of a session without a reference do not. */
        EndpointReferencePrefix: string | null;
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
        /** @description An address of yours that events are sent to. */
        WebhookEndpoint: {
            /** @description The endpoint's id. */
            id: string;
            /** @description Where events are sent. */
            url: string;
            /** @description Your note for people; empty without one. */
            description: string;
            /** @description Null: all. */
            eventTypes: string[] | null;
            /** @description Only events of these; null: of all. */
            chains: string[] | null;
            /** @description Only events of these; null: of all. */
            tokens: string[] | null;
            /** @description Only events whose `reference` begins with it; null: all. */
            referencePrefix: string | null;
            /**
             * @description How events are signed: `hmac` with a shared secret, `ed25519` with a key pair.
             * @enum {string}
             */
            signature: "hmac" | "ed25519";
            /** @description For `ed25519`: `whpk_` and the key in base64; null for `hmac`. */
            publicKey: string | null;
            /** @description While a rotation overlaps, if the previous signature is `ed25519`; null otherwise. */
            previousPublicKey: string | null;
            /**
             * Format: date-time
             * @description Until then webhooks are also signed with the previous secret; null: they are not.
             */
            previousSecretUntil: string | null;
            /** @description Names of its own headers, in lower case. Values are never shown. */
            headerNames: string[];
            /** @description The largest number of attempts in any second; null: no limit. */
            maxPerSecond: number | null;
            /**
             * @description `paused`: events are kept and sent once it is resumed.
             * @enum {string}
             */
            status: "active" | "paused";
            /**
             * @description `owner`: a member paused it. `failing`: every attempt failed for days. `gone`: it answered 410; events are no longer kept for it. Null while it is active.
             * @enum {string|null}
             */
            pausedReason: "owner" | "failing" | "gone" | null;
            /**
             * Format: date-time
             * @description Since when it is paused; null: it is not.
             */
            pausedAt: string | null;
            health: components["schemas"]["EndpointHealth"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /** @description How deliveries to the endpoint go. */
        EndpointHealth: {
            /**
             * Format: date-time
             * @description Every attempt since then has failed; null: the last one did not.
             */
            failingSince: string | null;
            /** @description Failed attempts since the last success. */
            consecutiveFailures: number;
            /**
             * Format: date-time
             * @description When it last took an event; null: never.
             */
            lastDeliveredAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null: never.
             */
            lastFailedAt: string | null;
            /** @description Why that attempt failed; null: none did. */
            lastError: string | null;
            /** @description Deliveries that are still to be made. */
            waiting: number;
            /** @description Event types whose latest attempts failed. Other types may be delivered meanwhile. */
            failingTypes: components["schemas"]["FailingType"][];
        };
        /** @description An event type whose latest attempts failed. */
        FailingType: {
            /** @description The event type. */
            type: string;
            /**
             * Format: date-time
             * @description Every attempt of the type since then has failed; null: nothing was attempted.
             */
            failingSince: string | null;
            /** @description Failed attempts of the type since its last success. */
            consecutiveFailures: number;
            /**
             * Format: date-time
             * @description When an attempt of the type last failed.
             */
            lastFailedAt: string;
            /** @description Why that attempt failed; null without an attempt. */
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
            /** @description The sender's address. */
            from: string;
            /** @description The receiver's address. */
            to: string;
            /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
            txId: string;
            /** @description Identifies the movement within its transaction. */
            movementKey: string;
            /** @description Its memo, if it has one. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            /** @description The block's number on the chain; a slot on solana. */
            blockHeight: number;
            /**
             * Format: date-time
             * @description The time in the block.
             */
            blockTime: string;
            /** @description How deep its block must be, including itself. Null: the chain must call the block finalized. */
            requiredConfirmations: number | null;
            /**
             * @description Of the session's payment.
             * @enum {string}
             */
            exception: "none" | "late" | "wrong_token" | "wrong_chain";
            /** @description The session's id. */
            sessionId: string;
            /** @description The session's reference; null without one. */
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
            /** @description The sender's address. */
            from: string;
            /** @description The receiver's address. */
            to: string;
            /** @description Of its transaction; for a validator's withdrawal, which has no transaction, the id of its block. */
            txId: string;
            /** @description Identifies the movement within its transaction. */
            movementKey: string;
            /** @description Its memo, if it has one. */
            memo?: string;
            memoType?: components["schemas"]["MemoType"];
            /** @description The block's number on the chain; a slot on solana. */
            blockHeight: number;
            /**
             * Format: date-time
             * @description The time in the block.
             */
            blockTime: string;
            /** @description How deep its block must be, including itself. Null: the chain must call the block finalized. */
            requiredConfirmations: number | null;
            /** @description The monitored address's id. */
            monitoredAddressId: string;
            /** @description Your metadata of the monitored address; null without one. */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A session as the API answers it, and the late payment. */
        LateSession: {
            /** @description The session's id. */
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
            /**
             * Format: uuid
             * @description Only of a session that a payment link made: its `id`.
             */
            linkId?: string;
            /** @description Only where you gave it. */
            returnUrl?: string;
            /** @description Only where the session is paid with less than `amountExpected`, within the tolerance: what is missing. */
            amountShort?: string;
            status: components["schemas"]["SessionStatus"];
            /**
             * @description The most serious difference from the expected payment. The money is credited to you anyway.
             * @enum {string}
             */
            exception: "none" | "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
            /**
             * Format: date-time
             * @description Until then a payment counts; a later one is an exception, `late`.
             */
            expiresAt: string;
            /** @description Shown to people; null: not set. */
            label: string | null;
            /** @description Your own id; null: not set. */
            reference: string | null;
            /** @description Your own JSON object; null: not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description What `amountExpected` is worth in `localCurrency`; null without a currency or rate. */
            localAmount: string | null;
            /** @description ISO 4217 code; null without a currency. */
            localCurrency: string | null;
            /** @description Units of `localCurrency` for one token; null without a rate. */
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
            /** @description What `fee` is in: an ISO 4217 code, or the token. */
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
            /** @description Payments that came to the address, the oldest first; reverted ones are among them. */
            payments: components["schemas"]["SessionPayment"][];
            /** @description Only in events: how many of the oldest payments are left out, because a body cannot hold all. */
            paymentsOmitted?: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was paid; null: it is not.
             */
            paidAt: string | null;
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
             * @description Only where autopayout was on when the session was paid, and made no payout. `too_small`: nothing would be left after the fee;
             *     `nothing_available`: the money paid a debt of yours, from a payment that the chain took back; `destination_archived`; `token_unavailable`:
             *     the destination's network has no such token. The money stays in your balance.
             * @enum {string}
             */
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
            /** @description The session's id. */
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
            /**
             * Format: uuid
             * @description Only of a session that a payment link made: its `id`.
             */
            linkId?: string;
            /** @description Only where you gave it. */
            returnUrl?: string;
            /** @description Only where the session is paid with less than `amountExpected`, within the tolerance: what is missing. */
            amountShort?: string;
            status: components["schemas"]["SessionStatus"];
            /**
             * @description The most serious difference from the expected payment. The money is credited to you anyway.
             * @enum {string}
             */
            exception: "none" | "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
            /**
             * Format: date-time
             * @description Until then a payment counts; a later one is an exception, `late`.
             */
            expiresAt: string;
            /** @description Shown to people; null: not set. */
            label: string | null;
            /** @description Your own id; null: not set. */
            reference: string | null;
            /** @description Your own JSON object; null: not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description What `amountExpected` is worth in `localCurrency`; null without a currency or rate. */
            localAmount: string | null;
            /** @description ISO 4217 code; null without a currency. */
            localCurrency: string | null;
            /** @description Units of `localCurrency` for one token; null without a rate. */
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
            /** @description What `fee` is in: an ISO 4217 code, or the token. */
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
            /** @description Payments that came to the address, the oldest first; reverted ones are among them. */
            payments: components["schemas"]["SessionPayment"][];
            /** @description Only in events: how many of the oldest payments are left out, because a body cannot hold all. */
            paymentsOmitted?: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was paid; null: it is not.
             */
            paidAt: string | null;
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
             * @description Only where autopayout was on when the session was paid, and made no payout. `too_small`: nothing would be left after the fee;
             *     `nothing_available`: the money paid a debt of yours, from a payment that the chain took back; `destination_archived`; `token_unavailable`:
             *     the destination's network has no such token. The money stays in your balance.
             * @enum {string}
             */
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
            /** @description The endpoint. */
            endpoint: {
                /** @description The endpoint's id. */
                id: string;
                /** @description Your note for people; empty without one. */
                description: string;
                /** @description Of its URL. The rest is left out: the path may be a secret. */
                host: string;
                /**
                 * @description Only of a callback host, which is not in the list of endpoints.
                 * @constant
                 */
                callback?: true;
            };
            /**
             * @description `failing`: every attempt failed for days. `gone`: it answered 410.
             * @enum {string}
             */
            reason: "failing" | "gone";
            /**
             * Format: date-time
             * @description Every attempt since then has failed; null: no attempt had failed before.
             */
            failingSince: string | null;
            /** @description Why the last attempt failed; null: it has not failed. */
            lastError: string | null;
        };
        /** @description A webhook endpoint that takes events again. */
        RecoveredEndpoint: {
            /** @description The endpoint. */
            endpoint: {
                /** @description The endpoint's id. */
                id: string;
                /** @description Your note for people; empty without one. */
                description: string;
                /** @description Of its URL. The rest is left out: the path may be a secret. */
                host: string;
                /**
                 * @description Only of a callback host, which is not in the list of endpoints.
                 * @constant
                 */
                callback?: true;
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
            /** @description The endpoint. */
            endpoint: {
                /** @description The endpoint's id. */
                id: string;
                /** @description Your note for people; empty without one. */
                description: string;
                /** @description Of its URL. The rest is left out: the path may be a secret. */
                host: string;
                /**
                 * @description Only of a callback host, which is not in the list of endpoints.
                 * @constant
                 */
                callback?: true;
            };
            /** @description How many were given up: each delivery is counted in one event. */
            count: number;
            /** @description The same by event type. */
            types: {
                /** @description Of the events that were not delivered. */
                type: string;
                /** @description How many deliveries of the type were given up. */
                count: number;
                /** @description Why the last of them failed; null without an attempt. */
                lastError: string | null;
                /** @description The last of them; null where it is not known. */
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
        /** @description Money moved in a block. */
        TransactionDetectedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["SessionMovement"] | components["schemas"]["MonitoredMovement"];
        };
        /** @description A movement is confirmed. */
        TransactionConfirmedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["SessionMovement"] | components["schemas"]["MonitoredMovement"];
        };
        /** @description A movement was removed. */
        TransactionRevertedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["SessionMovement"] | components["schemas"]["MonitoredMovement"];
        };
        /** @description A session was created. */
        SessionCreatedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description The first money of a session. */
        SessionDetectedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A session is paid. */
        SessionPaidEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A session is paid out. */
        SessionPaidOutEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A session ended with too little. */
        SessionUnderpaidEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A session was paid too much. */
        SessionOverpaidEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description Money came too late. */
        SessionLateEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["LateSession"];
        };
        /** @description A session expired. */
        SessionExpiredEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A session was cancelled. */
        SessionCancelledEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A session is no longer paid. */
        SessionReversedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Session"];
        };
        /** @description A refund has arrived. */
        SessionRefundedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["SessionWithRefund"];
        };
        /** @description A transfer is confirmed. */
        TransferConfirmedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Transfer"];
        };
        /** @description A transfer failed. */
        TransferFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Transfer"];
        };
        /** @description A transfer can no longer be mined. */
        TransferExpiredEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Transfer"];
        };
        /** @description A swap is confirmed. */
        SwapConfirmedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Swap"];
        };
        /** @description A swap failed. */
        SwapFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Swap"];
        };
        /** @description A swap can no longer be mined. */
        SwapExpiredEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Swap"];
        };
        /** @description A bridge transfer is under way. */
        BridgeInProgressEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["BridgeTransfer"];
        };
        /** @description A bridge transfer is completed. */
        BridgeCompletedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["BridgeTransfer"];
        };
        /** @description A bridge transfer failed. */
        BridgeFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["BridgeTransfer"];
        };
        /** @description A stake is active. */
        StakeActiveEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Stake"];
        };
        /** @description A stake, or a part of it, has ended. */
        StakeUnstakingEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Stake"];
        };
        /** @description A stake is paid back. */
        StakeWithdrawnEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Stake"];
        };
        /** @description A payout was created. */
        PayoutCreatedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A payout was sent. */
        PayoutSentEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A payout is completed. */
        PayoutCompletedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A bank returned a payout. */
        PayoutReturnedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A payout failed. */
        PayoutFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A payout was cancelled. */
        PayoutCancelledEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A payout may have been paid or not. */
        PayoutUnknownEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description The price of a payout has to be confirmed. */
        PayoutPriceChangedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Payout"];
        };
        /** @description A refund was created. */
        RefundCreatedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A customer named the address of a refund. */
        RefundClaimedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A refund was sent. */
        RefundSentEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A refund is completed. */
        RefundCompletedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A refund failed. */
        RefundFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A refund was cancelled. */
        RefundCancelledEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description The link of a refund has expired. */
        RefundExpiredEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A refund may have been paid or not. */
        RefundUnknownEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Refund"];
        };
        /** @description A fiat collection is processed. */
        CollectionProcessingEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Collection"];
        };
        /** @description A fiat collection was completed. */
        CollectionCompletedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Collection"];
        };
        /** @description A fiat collection expired. */
        CollectionExpiredEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Collection"];
        };
        /** @description A fiat collection failed. */
        CollectionFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Collection"];
        };
        /** @description A fiat collection was refunded. */
        CollectionRefundedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["Collection"];
        };
        /** @description A webhook endpoint was paused. */
        EndpointPausedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["PausedEndpoint"];
        };
        /** @description A webhook endpoint works again. */
        EndpointRecoveredEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["RecoveredEndpoint"];
        };
        /** @description Deliveries were given up. */
        DeliveryFailedEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["FailedDeliveries"];
        };
        /** @description A stored wallet that runs low on the coin that pays its fees. */
        LowBalance: {
            /**
             * Format: uuid
             * @description The stored wallet.
             */
            walletId: string;
            /** @description The wallet's name; null: not set. */
            name: string | null;
            chain: components["schemas"]["ChainName"];
            /** @description The wallet's address. */
            address: string;
            /** @description What it can spend of the native coin, in whole coins; on stellar without its reserves. */
            balance: string;
            /** @description The deployment's threshold of the chain, in whole coins. */
            threshold: string;
            /** @description Of the native coin. */
            symbol: string;
        };
        /** @description A stored wallet runs low on its native coin. */
        WalletLowBalanceEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["LowBalance"];
        };
        /** @description A test. */
        EndpointTestEvent: {
            /**
             * @description The type of the event.
             * @constant
             */
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
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["EndpointTest"];
        };
        /** @description How a verification ended. */
        VerificationOutcome: {
            /**
             * Format: uuid
             * @description The verification's id.
             */
            id: string;
            /** @description Yours. */
            requestId: string;
            /**
             * @description `completed`: the data are right. `failed`: they are not. `not_found`: no such identity is known. `error`: it could not be made.
             * @enum {string}
             */
            status: "completed" | "failed" | "not_found" | "error";
            /** @description Stable; null if it is completed. */
            reasonCode: string | null;
            /** @description US dollars; not charged for `error`. */
            price: string;
        };
        /** @description A verification is completed. */
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
            /**
             * @description The type of the event.
             * @constant
             */
            type: "verification.completed";
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["VerificationOutcome"];
        };
        /** @description A verification failed. */
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
            /**
             * @description The type of the event.
             * @constant
             */
            type: "verification.failed";
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["VerificationOutcome"];
        };
        /** @description An identity was not found. */
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
            /**
             * @description The type of the event.
             * @constant
             */
            type: "verification.not_found";
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["VerificationOutcome"];
        };
        /** @description A verification could not be made. */
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
            /**
             * @description The type of the event.
             * @constant
             */
            type: "verification.error";
            /** @description The subject of the event. Do not rely on the order of its fields. */
            data: components["schemas"]["VerificationOutcome"];
        };
        /**
         * @description `pending`: it is being tried. `delivered`: the endpoint took it. `failed`: given up after all attempts.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /** @description One event on its way to one endpoint. */
        WebhookDelivery: {
            /** @description The delivery's id. */
            id: string;
            /** @description The `webhook-id` header of every attempt. */
            eventId: string;
            /** @description Null while the business has no endpoint. The first one also gets the events of the 24 hours before. */
            endpointId: string | null;
            /** @description Only of a callback: the `webhookUrl` of its session, where it goes. */
            url?: string;
            /** @description The event's type. */
            type: string;
            /** @description Empty if the event is about no chain. */
            chain: string;
            /** @description The address that the event is about; empty if none. */
            address: string;
            /** @description The symbol of what moved; empty if nothing. */
            symbol: string;
            /** @description How much moved, in whole units; empty if nothing. */
            amount: string;
            /** @description Null if the event is about no single transaction. */
            txId: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /** @description How many attempts were made. */
            attemptsCount: number;
            /**
             * Format: date-time
             * @description When the endpoint took it; null: it has not.
             */
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @description When it was enqueued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the operator erased its payload; its subject and the receiver's answers are then empty, and it cannot be replayed. Null: it was not erased.
             */
            erasedAt: string | null;
        };
        /** @description A delivery with its event and its attempts. */
        WebhookDeliveryDetails: {
            /** @description The delivery's id. */
            id: string;
            /** @description The `webhook-id` header of every attempt. */
            eventId: string;
            /** @description Null while the business has no endpoint. The first one also gets the events of the 24 hours before. */
            endpointId: string | null;
            /** @description Only of a callback: the `webhookUrl` of its session, where it goes. */
            url?: string;
            /** @description The event's type. */
            type: string;
            /** @description Empty if the event is about no chain. */
            chain: string;
            /** @description The address that the event is about; empty if none. */
            address: string;
            /** @description The symbol of what moved; empty if nothing. */
            symbol: string;
            /** @description How much moved, in whole units; empty if nothing. */
            amount: string;
            /** @description Null if the event is about no single transaction. */
            txId: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /** @description How many attempts were made. */
            attemptsCount: number;
            /**
             * Format: date-time
             * @description When the endpoint took it; null: it has not.
             */
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @description When it was enqueued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the operator erased its payload; its subject and the receiver's answers are then empty, and it cannot be replayed. Null: it was not erased.
             */
            erasedAt: string | null;
            /**
             * Format: date-time
             * @description The earliest time, while it is pending; null if there is no attempt to come, or its endpoint is paused.
             */
            nextAttemptAt: string | null;
            event: components["schemas"]["EventRecord"];
            /** @description Its attempts, the oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        /** @description One attempt to deliver. */
        WebhookAttempt: {
            /** @description 1 for the first. */
            number: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            startedAt: string;
            /** @description How long the endpoint took, in milliseconds; null: it is not over. */
            durationMs: number | null;
            /** @description The status that the endpoint answered with; null: no answer. */
            responseStatus: number | null;
            /** @description Its first 4 kB; null: no answer. */
            responseBody: string | null;
            /** @description Why it was not delivered; null: it was, or the attempt is not over. */
            error: string | null;
        };
        /** @description An event as it is stored. */
        EventRecord: {
            /** @description The `webhook-id` header of its deliveries. */
            id: string;
            /** @description The event's type. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The version of its body's form. */
            version: number;
            /** @description Of the business, without a gap. */
            sequence: number;
            /** @description By type: see the webhooks of this document. Empty if it was erased. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the operator erased `data`; null: it was not erased.
             */
            erasedAt: string | null;
        };
        /** @description Amounts up to `upTo` are credited after this many confirmations. */
        EarlyFinality: {
            /** @description In whole tokens. */
            upTo: components["schemas"]["Amount"];
            /** @description How deep a payment's block must be, including itself. */
            confirmations: number;
        };
        /** @description What happened to a transaction's money. */
        Explanation: {
            chain: components["schemas"]["ChainName"];
            /** @description The transaction's hash or signature. */
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
            /** @description The block that has the transaction; null while none has. */
            block: {
                /** @description The block's number on the chain; a slot on solana. */
                height: number;
                /** @description The block's hash. */
                id: string;
                /**
                 * Format: date-time
                 * @description The time in the block.
                 */
                time: string;
                /** @description Counted from the newest block that Cowry has read. */
                confirmations: number;
            } | null;
            /** @description The newest block that Cowry has read; null: it has read no block. */
            indexedHeight: number | null;
            /** @description The chain that has the transaction, where `outcome` is `other_chain`; null otherwise. */
            otherChain: string | null;
            /** @description Those to your addresses first; a hundred at most. */
            movements: components["schemas"]["ExplainedMovement"][];
            /** @description How many movements the transaction has, with those not listed. */
            movementsTotal: number;
        };
        /** @description One movement of value in a transaction. */
        ExplainedMovement: {
            /** @description Names the movement within its transaction: `log:n`, `native`, `trace:path`, `withdrawal:n` of a block, or `call` for the intended effect of a pending or failed transaction. */
            movementKey: string;
            /** @description A call within a contract moved the native coin. */
            internal: boolean;
            /** @description Null for an unknown token. */
            token: string | null;
            /** @description Null for the native coin. */
            contract: string | null;
            /** @description Who sent it. */
            from: string;
            /** @description Who got it. */
            to: string;
            /** @description In whole tokens; null for an unknown token. */
            amount: string | null;
            /** @description The amount in the token's smallest units, a whole number. */
            baseUnits: string;
            /**
             * @description The outcome of this movement; `message` is the same as a sentence.
             * @enum {string}
             */
            outcome: "credited" | "late" | "wrong_token" | "wrong_chain" | "not_final" | "not_read" | "zero_value" | "failed" | "pending" | "not_watched";
            /** @description The same in words. */
            message: string;
            /** @description How deep the block is now, including itself; counted up to the newest block that Cowry has read. */
            confirmations: number;
            /** @description Null: the chain must call the block finalized, or the movement is not recorded. */
            requiredConfirmations: number | null;
            /** @description Your session with this address; null: not found. */
            session: {
                /** @description The session's id. */
                id: string;
                status: components["schemas"]["SessionStatus"];
                chain: components["schemas"]["ChainName"];
                token: components["schemas"]["TokenSymbol"];
                /** @description Your own id of the session; null if not set. */
                reference: string | null;
            } | null;
        };
        /**
         * @description Your accounts. `pending`: confirmed money that is not yours to spend yet. `available`: can be paid out. `receivable`: what you owe. `payouts_held`: payouts and refunds under way. `stakes`: staked. `credit`, `credit_held`: prepaid for the verification area, and its part for checks under way.
         * @enum {string}
         */
        LedgerAccountName: "pending" | "available" | "receivable" | "payouts_held" | "stakes" | "credit" | "credit_held";
        /**
         * @description What an entry was posted for.
         * @enum {string}
         */
        LedgerEntryKind: "deposit.pending" | "deposit.credited" | "deposit.corrected" | "deposit.reverted" | "suspense.given" | "receivable.opened" | "payout.reserved" | "payout.posted" | "payout.released" | "payout.returned" | "refund.reserved" | "refund.posted" | "refund.released" | "refund.returned" | "exchange" | "penalty" | "adjustment" | "stake.posted" | "stake.unstaked" | "stake.reversed" | "stake_withdrawal.posted" | "stake_withdrawal.corrected" | "stake_withdrawal.reversed" | "verification.held" | "verification.taken" | "verification.returned";
        /** @description In whole units of the asset. */
        LedgerAmount: string;
        /** @description What you have of one asset. */
        Balance: {
            /** @description The asset: its chain and symbol, as `polygon:USDC`; or `USD`. */
            asset: string;
            /** @description Null for `USD`. */
            chain: string | null;
            /** @description The symbol. */
            token: string;
            /** @description The symbol, as `token`. */
            symbol: string;
            /** @description Of the asset on its chain. */
            decimals: number;
            /** @description Confirmed money that is not yours to spend yet: of pending sessions, and held excess. */
            pending: components["schemas"]["LedgerAmount"];
            /** @description What can be paid out, refunded or staked. */
            available: components["schemas"]["LedgerAmount"];
            /** @description What you owe: a fork took back money that had left. Later credits pay it first. */
            receivable: components["schemas"]["LedgerAmount"];
            /** @description Payouts and refunds under way. */
            payoutsHeld: components["schemas"]["LedgerAmount"];
            /** @description What is staked. */
            stakes: components["schemas"]["LedgerAmount"];
            /** @description Prepaid for the verification area. */
            credit: components["schemas"]["LedgerAmount"];
            /** @description The part of the credit that is set aside for checks under way. */
            creditHeld: components["schemas"]["LedgerAmount"];
        };
        /** @description All balances in one currency. */
        BalanceTotal: {
            /** @description What is available, pending, held and staked, less what you owe. */
            amount: string;
            /** @description Of the business; USD where it has none. */
            currency: string;
            /** @description Units of the currency for one US dollar; null for USD. */
            rate: string | null;
            /**
             * Format: date-time
             * @description When the rate was observed; null for USD.
             */
            rateAt: string | null;
            /** @description Assets without a price: not in it. */
            without: string[];
        };
        /** @description An amount in a currency. */
        FiatAmount: {
            amount: components["schemas"]["LedgerAmount"];
            /** @description Of the bank; or the token, where it went to a wallet. */
            currency: string;
        };
        /** @description A part of money that left or came back. */
        LedgerPart: {
            /**
             * @description `fee`: the platform's fee. `margin`: its margin on the exchange rate. `rounding`: what is too small to be paid. `paid`: what went out.
             * @enum {string}
             */
            part: "fee" | "margin" | "rounding" | "paid";
            amount: components["schemas"]["LedgerAmount"];
            /** @description The same in the currency of the bank or wallet, where it is known; otherwise null. */
            fiat: components["schemas"]["FiatAmount"] | null;
        };
        /** @description The change of one account. */
        LedgerPosting: {
            account: components["schemas"]["LedgerAccountName"];
            /** @description The asset, as `polygon:USDC` or `USD`. */
            asset: string;
            /** @description The asset's symbol. */
            symbol: string;
            /** @description How many decimals amounts of the asset can have. */
            decimals: number;
            /** @description The change of the account's balance, in whole units: negative where it shrinks. */
            amount: string;
            /** @description Where money left, or came back: what `amount` consists of. Their sum is `amount`. */
            parts: components["schemas"]["LedgerPart"][];
        };
        /** @description One entry of your books: its postings, and what it is about. */
        LedgerEntry: {
            /**
             * Format: uuid
             * @description The entry's id.
             */
            id: string;
            /** @description What it was posted for, as `deposit.credited`. */
            kind: string;
            /** @description What it was posted for, as `session_payment`. */
            cause: string;
            /** @description The id of the cause. */
            reference: string;
            /**
             * Format: uuid
             * @description Of the payment session that the payment or refund belongs to; null for other entries.
             */
            sessionId: string | null;
            /** @description Of an adjustment: the reason that the platform's operator gave; null for other entries. */
            description: string | null;
            /**
             * Format: uuid
             * @description The entry that this one takes back; null otherwise.
             */
            reverses: string | null;
            /** @description The closed month, as `2026-11`, that it corrects: what it takes back was posted there. Null otherwise. */
            corrects: string | null;
            /** @description The `reference` that you gave the session, payout or refund; null without one. */
            merchantReference: string | null;
            /** @description Of the payment, payout or refund on its chain; null without one. */
            transaction: {
                /** @description The chain of the transaction. */
                chain: string;
                /** @description The transaction's hash or signature. */
                txId: string;
                /** @description In a block explorer; null where none is known. */
                url: string | null;
            } | null;
            /** @description What the payment was worth, its share of the price of its session, or what the bank gets; null without a currency. */
            fiat: {
                /** @description The amount, in `currency`. */
                amount: string;
                /** @description ISO 4217 code. */
                currency: string;
                /** @description Units of the currency for one token. */
                rate: string;
            } | null;
            /** @description The bank or address that money went to; null: it went nowhere. */
            payee: string | null;
            /**
             * Format: date-time
             * @description When it was posted.
             */
            createdAt: string;
            /** @description The changes of your accounts. */
            postings: components["schemas"]["LedgerPosting"][];
        };
        /** @description The books of a period. */
        LedgerStatement: {
            /**
             * Format: date-time
             * @description Where the period begins.
             */
            from: string;
            /**
             * Format: date-time
             * @description Where the period ends: not included.
             */
            to: string;
            /**
             * Format: date-time
             * @description No entry from before this time is added any more. A statement is final if it is not before `to`.
             */
            finalUntil: string;
            /** @description Each account and asset that had a balance or an entry. */
            accounts: {
                account: components["schemas"]["LedgerAccountName"];
                /** @description The asset, as `polygon:USDC` or `USD`. */
                asset: string;
                /** @description The asset's symbol. */
                symbol: string;
                /** @description How many decimals amounts of the asset can have. */
                decimals: number;
                /** @description The balance where the period begins, in whole units. */
                opening: components["schemas"]["LedgerAmount"];
                /** @description What changed the balance, by kind of entry. */
                movements: {
                    /** @description The kind of the entries, as `deposit.credited`. */
                    kind: string;
                    /** @description How many entries. */
                    entries: number;
                    /** @description Their sum, in whole units: negative where it shrinks. */
                    amount: components["schemas"]["LedgerAmount"];
                }[];
                /** @description The balance where the period ends, in whole units. */
                closing: components["schemas"]["LedgerAmount"];
            }[];
            /** @description The same for an accountant: what came in, what was kept, and what went out. */
            lines: {
                /** @description `received`, `fee`, `margin`, `rounding`, `to_bank`, `to_wallet`, `refunded`; of anything else the kind of its entries. */
                line: string;
                /** @description The asset, as `polygon:USDC` or `USD`. */
                asset: string;
                /** @description The asset's symbol. */
                symbol: string;
                /** @description How many decimals amounts of the asset can have. */
                decimals: number;
                /** @description How many entries. */
                entries: number;
                /** @description The sum, in whole units: negative where you have less by it. */
                amount: components["schemas"]["LedgerAmount"];
                /** @description The same in the currency of the bank or wallet, where it is known; otherwise null. */
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
        /** @description A new wallet. Nothing of it is stored. */
        GeneratedWallet: {
            /** @description The wallet's address. */
            address: string;
            /** @description Secret. In the form that the chain's own wallets import. */
            privateKey: string;
            /** @description In the form that the chain has for it. */
            publicKey: string;
            /** @description Secret. */
            mnemonic: string;
            /** @description The path from the phrase to the key. */
            derivationPath: string;
            /** @description Stellar only: an id that separates deposits to one account. */
            memo?: string;
            /**
             * @description Only with `memo`.
             * @enum {string}
             */
            memoType?: "text" | "id" | "hash";
        };
        /** @description What an address has. */
        WalletBalance: {
            chain: components["schemas"]["ChainName"];
            /** @description The address, in the form that the chain shows. */
            address: string;
            /** @description The native coin, and the tokens that were asked for. */
            balances: {
                /** @description The chain's own coin. */
                native: {
                    /** @description The coin's symbol. */
                    symbol: string;
                    /** @description In whole coins. */
                    balance: string;
                    /** @description How many decimals the coin has. */
                    decimals: number;
                };
                /** @description The tokens; those that Cowry knows, if none were named. */
                tokens: {
                    /** @description The token's contract or mint, or `CODE:ISSUER`. */
                    address: string;
                    /** @description As the token names itself; null: without a symbol. */
                    symbol: string | null;
                    /** @description In whole tokens; null if it cannot be read. */
                    balance: string | null;
                    /** @description How many decimals the token has; null if they cannot be read. */
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
            /**
             * Format: date-time
             * @description When it was read.
             */
            lastUpdated: string;
        };
        /** @description A wallet whose key is stored. */
        Wallet: {
            /** @description The wallet's id. */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description The wallet's address. */
            address: string;
            /** @description In the form that the chain has for it. */
            publicKey: string;
            /** @description Shown to people; null: not set. */
            name: string | null;
            /** @description Null if a private key was stored. */
            derivationPath: string | null;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was archived; null: it is not.
             */
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
        /**
         * @description `pending`: not in a confirmed block yet. `confirmed`: it arrived. `failed`: the receiver gets nothing; `reason` says why.
         * @enum {string}
         */
        TransferStatus: "pending" | "confirmed" | "failed";
        /** @description Money that is sent from an address of yours. */
        Transfer: {
            /** @description Stays the same when the hash changes. */
            id: string;
            chain: components["schemas"]["ChainName"];
            /**
             * @description What is sent; `native` is the chain's own coin.
             * @enum {string}
             */
            token: "native" | "usdc" | "usdt";
            /** @description The symbol of what is sent. */
            symbol: string;
            /** @description In whole units. */
            amount: string;
            /** @description The address that sends. */
            fromAddress: string;
            /** @description The address that gets it. */
            toAddress: string;
            /** @description The memo for the receiver; absent without one. */
            memo?: string;
            /**
             * @description Of `memo`; absent without one.
             * @enum {string}
             */
            memoType?: "text" | "id" | "hash";
            /** @description The stored wallet of the sender; null: its key is not stored. */
            walletId: string | null;
            /** @description Of the transaction in a block, otherwise of the latest one sent; null until one is signed. A transaction that waits too long is replaced by one with a higher fee. */
            txHash: string | null;
            status: components["schemas"]["TransferStatus"];
            /**
             * @description Why it failed; null without a reason. `reverted`: it is in a block but failed there; `refused`: no node accepted it; `expired`, `sequence_used`: it can no
             *     longer be mined, because it has expired or another transaction of the address used its nonce; `policy`; `given_up`: the operator ended
             *     it after restoring a backup, when it may have been sent before, or while it was held;
             *     `cancelled`: its business, or its `validUntil`, cancelled it, and it was not mined; `approval_refused`,
             *     `approval_expired`: a second member refused it, or did not approve it in time; `approval_void`: the member who requested or approved
             *     it has lost the right to; or one of the `error`s that refuse a transfer. For a `pending` one, `held`: it is not signed or sent while
             *     the operator holds it, or the business is suspended; `cancelling`: it was cancelled, and may still be mined; `waiting_for_trustline`:
             *     the recipient cannot hold the token yet; `fee_too_high`: the network asks for more than is allowed, and it is sent when the price falls.
             */
            reason: string | null;
            /** @description The same in words, if available; null otherwise. */
            message: string | null;
            /** @description What the recipient got, by the chain's records, once it is confirmed: less than `amount` where the token keeps a fee. Left out while that is not known, and of a claimable balance. */
            amountReceived?: string;
            /** @description What the token kept of `amount`, with `amountReceived`. */
            tokenFee?: string;
            /** @description EVM only, once it is known. */
            gasUsed?: string;
            /** @description In `feeCurrency`, once it is known; null until then. */
            fee: string | null;
            /** @description The symbol of the chain's coin. */
            feeCurrency: string;
            /** @description The block that has it; null: in none. */
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
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
        };
        /** @description Only if a second member has to approve the transfer. Until then its `status` is `pending` and nothing is signed. */
        TransferApproval: {
            /** @description It cannot be sent before a second member has approved it. */
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
            /**
             * Format: date-time
             * @description When it was decided; null: not decided.
             */
            decidedAt: string | null;
        };
        /** @description What a transfer costs, in `currency`. */
        TransferFee: {
            /** @description What it should cost. */
            expected: string;
            /** @description The maximum. */
            most: string;
            /** @description Further costs, in addition to fee and amount: rent of an account that it opens, the fee for a new account. */
            besides: string;
            /** @description The symbol of the chain's coin. */
            currency: string;
        };
        /** @description What a transfer would cost now. */
        TransferEstimate: {
            chain: components["schemas"]["ChainName"];
            /** @description The symbol of what would be sent. */
            symbol: string;
            /** @description What would be sent, in whole units. */
            amount: string;
            fee: components["schemas"]["TransferFee"];
            /** @description Whether the sender can pay for all of it, including the maximum fee. */
            sufficient: boolean;
            /** @description What the sender lacks; empty if nothing. */
            missing: components["schemas"]["Missing"][];
            /** @description The basis of the fee; its fields depend on the chain family. */
            terms: Record<string, never>;
        };
        /** @description A transfer for you to sign. */
        PreparedTransfer: {
            /** @description The transfer's id, once it is submitted. */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description The address that has to sign. */
            fromAddress: string;
            /** @description EVM: the serialised EIP-1559 transaction. Solana: the transaction with empty signatures. Tron: java-tron's JSON. Stellar: the envelope's XDR. */
            payload: string;
            /**
             * @description The encoding of `payload`.
             * @enum {string}
             */
            encoding: "hex" | "base64" | "json";
            /** @description The bytes to sign, in hex: a digest, on Solana the whole message. */
            signing: string;
            fee: components["schemas"]["TransferFee"];
            /**
             * Format: date-time
             * @description Until then the signed transfer can be submitted.
             */
            expiresAt: string;
        };
        /**
         * @description `pending`: not in a confirmed block yet. `confirmed`: done. `failed`: nothing was swapped; `reason` says why. `expired`: it can no longer be mined.
         * @enum {string}
         */
        SwapStatus: "pending" | "confirmed" | "failed" | "expired";
        /** @description An exchange of two tokens on one chain. */
        Swap: {
            /** @description Stays the same when a hash changes. */
            id: string;
            status: components["schemas"]["SwapStatus"];
            /** @description Whether a node took the transaction that swaps. `false` with `pending`: a worker continues; never send it again. */
            success: boolean;
            /** @description Of the transaction that swaps: the one in a block, otherwise the latest one sent; null before it is signed. */
            txHash: string | null;
            /** @description EVM: of the transaction that allows the provider's contract to take `sellAmount`; null if none was needed, or if it ended before it was sent. */
            approvalTxHash: string | null;
            /** @description All its transactions in the order of their nonces; the last one swaps. */
            steps: components["schemas"]["SwapStep"][];
            /**
             * @description Who routes it: `0x` on EVM chains, `jupiter` on solana.
             * @enum {string}
             */
            provider: "0x" | "jupiter";
            chain: components["schemas"]["ChainName"];
            /** @description Its contract or mint; `native` for the coin of the chain. */
            sellToken: string;
            /** @description As the token names itself, which may be anything; null if it has no name. */
            sellSymbol: string | null;
            /** @description In whole units. */
            sellAmount: string;
            /** @description The bought token: its contract or mint; `native` for the coin of the chain. */
            buyToken: string;
            /** @description As the token names itself, which may be anything; null if it is not known. */
            buySymbol: string | null;
            /** @description As quoted; once it is confirmed, what the recipient got, where the chain reports it. */
            buyAmount: string;
            /** @description The chain enforces it: `buyAmount` as quoted less `slippageBps`, rounded down. */
            minBuyAmount: string;
            /** @description What the recipient got, by the chain's records, once it is confirmed. Left out while that is not known: always for the coin of an EVM chain. */
            amountReceived?: string;
            /** @description How far the price may fall, in hundredths of a percent. */
            slippageBps: number;
            /** @description The stored wallet that sells. */
            fromAddress: string;
            /** @description Who gets the bought token. */
            toAddress: string;
            /** @description What was left allowed to the provider's contract when the swap failed or expired, in whole units of `sellToken`: its approval is in the network, or in a block. Null: nothing was. It is not updated: only `fromAddress` can use it, and its next swap does. */
            allowanceLeft: string | null;
            /** @description EVM: of all its transactions in blocks; null: not known. */
            gasUsed: string | null;
            /** @description Of all its transactions in blocks, in whole units of the coin; null until one is known. */
            fee: string | null;
            /** @description The symbol of the chain's coin. */
            feeCurrency: string;
            /** @description Solana: what opening token accounts costs at most, in whole units of the coin, on top of `fee`, as forecast. Null once it failed or expired. */
            rent: string | null;
            /** @description The block of the transaction that swaps; null: in none. */
            blockHeight: number | null;
            /**
             * @description Why it failed or expired; null without a reason. `reverted`: it is in a block but failed there, for instance because it would have brought less than
             *     `minBuyAmount`; `step_failed`: its approval failed, so it was not sent; `stopped`: it could not be sent within ten minutes, so it was not
             *     sent; `refused`: no node accepted it; `expired`, `sequence_used`: it can no longer be mined, because it has expired or another
             *     transaction of the address used its nonce. It swapped nothing. For a `pending` one, `held`: it is not sent while the business is
             *     suspended.
             */
            reason: string | null;
            /** @description The same in words, if available; null otherwise. */
            message: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
        };
        /** @description One transaction of a swap. */
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
        /** @description The price of a swap now. It is not binding. */
        SwapQuote: {
            /**
             * @description Who quotes: `0x` on EVM chains, `jupiter` on solana.
             * @enum {string}
             */
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
                /** @description As the provider writes it, like `sellToken`. */
                buyToken: string;
                /** @description In base units, a whole number. */
                sellAmount: string;
                /** @description In base units, a whole number. */
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
        /** @description USDC to move from one chain to another. */
        BridgeRequest: {
            /** @description The chain of the wallet that sends. */
            sourceChain: components["schemas"]["ChainName"];
            /** @description The chain that the USDC is for. */
            destinationChain: components["schemas"]["ChainName"];
            /** @description What is burnt, in USDC: `fee` comes off it. */
            amount: components["schemas"]["Amount"];
            /** @description A stored wallet of yours on `sourceChain`. */
            sourceAddress: components["schemas"]["Address"];
            /** @description Who gets the USDC, on `destinationChain`. */
            destinationAddress: components["schemas"]["Address"];
            /** @description Circle mints by itself, for a fee; without it this platform does. Either way the transfer completes by itself. */
            automatic?: boolean;
            speed?: components["schemas"]["BridgeSpeed"];
            /** @description In USDC: 422 `fee_too_high` if Circle may keep more. */
            maxFee?: string;
        };
        /**
         * @description The states of a bridge transfer.
         * @enum {string}
         */
        BridgeStatus: "pending" | "in_progress" | "completed" | "failed";
        /**
         * @description `fast` costs a fee and exists on some routes.
         * @enum {string}
         */
        BridgeSpeed: "standard" | "fast";
        /**
         * @description USDC on its way from one chain to another.
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
            /**
             * Format: uuid
             * @description The transfer's id.
             */
            id: string;
            /** @description The chain of the wallet that sends. */
            sourceChain: components["schemas"]["ChainName"];
            /** @description The chain that the USDC is for. */
            destinationChain: components["schemas"]["ChainName"];
            /**
             * @description `pending` until the burn is confirmed, `in_progress` until the mint is. `failed` only if nothing was burnt.
             * @enum {string}
             */
            status: "pending" | "in_progress" | "completed" | "failed";
            /** @description In USDC. */
            amount: string;
            /** @description The stored wallet that sends, in the form of `sourceChain`. */
            sourceAddress: string;
            /** @description Who gets the USDC, in the form of `destinationChain`. */
            destinationAddress: string;
            /** @description Of the burn, from its broadcast on; null until then. Until it is confirmed, another fee may give it another hash. */
            sourceTxHash: string | null;
            /** @description Of the mint; null until it is confirmed. */
            destinationTxHash: string | null;
            /** @description Null unless it failed. */
            errorMessage: string | null;
            /**
             * @description The speed that was requested.
             * @enum {string}
             */
            speed: "standard" | "fast";
            /** @description `fast` or `standard`, as Circle signed it; null before. */
            executedSpeed: string | null;
            /** @description Whether Circle mints by itself, for a fee; otherwise this platform does. */
            automatic: boolean;
            /** @description The maximum of `fee`. */
            maxFee: string;
            /** @description In USDC, kept by Circle at the mint; null until it is known. */
            fee: string | null;
            /** @description `amount` less `fee`; null until it is minted. */
            amountReceived: string | null;
            /** @description Why a transfer that is not over takes longer than usual; null if nothing keeps it. `awaiting_approval`: a second owner has to approve it. Or Circle's word, such as `insufficient_fee`, or one of `burn_unsettled`, `burn_unknown`, `circle_unavailable`, `expired`, `unexpected_message`, `mint_refused`, `mint_not_found`, `mint_not_signed`, `treasury_gas_low`, `fee_too_high`, `sending_paused`, `chain_unavailable`, `destination_not_configured`, `treasury_not_started`. Others may follow. */
            delay: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
        };
        /** @description What a bridge transfer would cost now. */
        BridgeEstimate: {
            /** @description The chain of the wallet that sends. */
            sourceChain: components["schemas"]["ChainName"];
            /** @description The chain that the USDC is for. */
            destinationChain: components["schemas"]["ChainName"];
            /** @description What would be burnt, in USDC. */
            amount: string;
            /**
             * @description The speed that was requested.
             * @enum {string}
             */
            speed: "standard" | "fast";
            /** @description The way of minting that was requested. */
            automatic: boolean;
            /** @description What Circle keeps now, in USDC. */
            fee: string;
            /** @description What Circle may keep if its fees rise meanwhile. */
            maxFee: string;
            /** @description `amount` less `maxFee`. */
            minReceived: string;
            /** @description Whether this route has the speed `fast` now. */
            fastAvailable: boolean;
            /** @description Until burn and mint are usually confirmed by our own nodes. */
            usualSeconds: number;
            /** @description Of the wallet at `sourceChain`, in its native coin. The mint costs it nothing. */
            networkCosts: {
                /** @description What the burn should cost. */
                expected: string;
                /** @description The maximum that it can cost. */
                max: string;
                /** @description The symbol of the native coin. */
                currency: string;
            };
        };
        /**
         * @description `active`: it earns, or will once it is confirmed. `unstaking`: it has ended and waits. `withdrawn`: it is paid back.
         * @enum {string}
         */
        StakeStatus: "active" | "unstaking" | "withdrawn";
        /**
         * @description `pooled`: held by the platform. `native`: by the chain itself.
         * @enum {string}
         */
        StakingPlanType: "pooled" | "native";
        /** @description Terms that stakes are taken on. */
        StakingPlan: {
            /**
             * Format: uuid
             * @description The plan's id.
             */
            id: string;
            /** @description The plan's name. */
            name: string;
            /** @description What the plan is, for people. */
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
            /** @description The smallest stake, in whole units. */
            minAmount: string;
            /** @description The largest stake, in whole units. */
            maxAmount: string;
            /** @description It takes new stakes. */
            isActive: boolean;
        };
        /** @description Money that is staked on a plan. */
        Stake: {
            /**
             * Format: uuid
             * @description The stake's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The plan that it is staked on.
             */
            planId: string;
            type: components["schemas"]["StakingPlanType"];
            chain: components["schemas"]["ChainName"];
            /** @description The symbol of what is staked. */
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
            /** @description Native stakes: the validator's vote account; null for pooled ones. */
            validator: string | null;
            /** @description Native stakes: what the stake account holds on top of `amount`; comes back with the withdrawal. Null for others. */
            rent: string | null;
            /**
             * @description Native stakes: on the chain, at the last look; null for others, and until it is confirmed. `inactive` can be withdrawn.
             * @enum {string|null}
             */
            chainState: "undelegated" | "activating" | "active" | "deactivating" | "inactive" | null;
            /**
             * Format: date-time
             * @description From then on it can be withdrawn; native stakes: an estimate. Null while it is active.
             */
            withdrawableAt: string | null;
            /** @description Of the transaction that staked; null before it is signed. */
            txHash: string | null;
            /**
             * @description Of the transaction that staked; null before it is signed.
             * @enum {string}
             */
            transactionStatus: "pending" | "confirmed" | "failed" | "expired";
            /** @description Of the transactions that pay the withdrawal, oldest first: two, if the rewards followed later. Empty until the first is signed. */
            withdrawalTxHashes: string[];
            /** @description Why nothing was staked, as for a transfer. Of the rest of a native stake: why it was not split. Null otherwise. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the confirming block: it earns from then on; null until then.
             */
            confirmedAt: string | null;
            /**
             * Format: date-time
             * @description When it was unstaked; null: it is active.
             */
            unstakedAt: string | null;
            /**
             * Format: date-time
             * @description When it was paid back; null: it is not.
             */
            withdrawnAt: string | null;
        };
        /** @description What unstaking did. */
        Unstaked: {
            /**
             * Format: uuid
             * @description Of the part that leaves.
             */
            id: string;
            /**
             * @description It waits until it can be withdrawn.
             * @enum {string}
             */
            status: "unstaking";
            /** @description What leaves the stake, in whole units. */
            unstakedAmount: string;
            /** @description `0` from `lockedUntil` on. */
            penalty: string;
            /** @description `unstakedAmount` less `penalty`. */
            netAmount: string;
            /** @description What was earned on it, in whole units. */
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
            /** @description Native stakes: of the transaction that deactivates it; null for others, and before it is signed. */
            txHash: string | null;
        };
        /** @description A withdrawal of a stake. */
        StakeWithdrawal: {
            /**
             * Format: uuid
             * @description The stake's id.
             */
            id: string;
            status: components["schemas"]["StakeStatus"];
            /** @description The net amount. */
            amount: string;
            /** @description What was earned, in whole units, and is paid with it. */
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
        /** @description An asset of a session that can be refunded. */
        RefundableAsset: {
            chain: components["schemas"]["ChainName"];
            /** @description The symbol of what came. */
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
        /**
         * @description The kind of a memo on Stellar.
         * @enum {string}
         */
        RefundMemoType: "text" | "id" | "hash";
        /** @description USDC or USDT, or another asset that came instead: the native coin, or a bridged token such as USDC.e. The session's if omitted. */
        RefundedToken: string;
        /** @description Money of a session that goes back. */
        Refund: {
            /**
             * Format: uuid
             * @description The refund's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The session whose money it is.
             */
            sessionId: string;
            kind: components["schemas"]["RefundKind"];
            status: components["schemas"]["RefundStatus"];
            /** @description What is refunded, in whole tokens. */
            amount: string;
            /** @description The symbol of what is refunded. */
            token: string;
            chain: components["schemas"]["ChainName"];
            /** @description Null until your customer has named one. */
            toAddress: string | null;
            /** @description The memo of `toAddress`; null: not set. */
            memo: string | null;
            /** @description Of `memo`; null: not set. */
            memoType: string | null;
            /** @description Of a refund whose address your customer names; otherwise null. */
            claim: {
                /**
                 * @description `waiting`: the customer has named no address. `claimed`: an address was named. `expired`: the link is over. `cancelled`: the refund was cancelled before.
                 * @enum {string}
                 */
                status: "waiting" | "claimed" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until then an address can be named.
                 */
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
                /** @description In whole coins. */
                amount: string;
                /** @description The coin's symbol. */
                token: string;
            } | null;
            /** @description The transaction's hash or signature; null until it is signed. */
            txHash: string | null;
            /** @description Why it waits or has ended, as a stable code; null without a reason. `independent_owner_missing`: no owner of the business may approve it. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
        };
        /** @description A refund in short. */
        SessionRefund: {
            /**
             * Format: uuid
             * @description The refund's id.
             */
            id: string;
            kind: components["schemas"]["RefundKind"];
            status: components["schemas"]["RefundStatus"];
            /** @description What is refunded, in whole tokens. */
            amount: string;
            /** @description The symbol of what is refunded. */
            token: string;
            chain: components["schemas"]["ChainName"];
            /** @description The transaction's hash or signature; null until it is signed. */
            txHash: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
        };
        /** @description Payouts that are created together, or not at all. */
        NewPayoutBatch: {
            /** @description Your own id of the batch; batches can be listed by it. */
            reference?: string;
            /** @description Each as `POST /payouts` takes it. */
            payouts: components["schemas"]["BatchedPayout"][];
        };
        /** @description A payout, as `POST /payouts` takes it. */
        BatchedPayout: {
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
        /**
         * @description By the states of its payouts. `awaiting_approval`: a payout waits for the approval. `processing`: none does, and one has not ended. Then all have:
         *     `completed`: each was paid. `completed_with_failures`: some were. `cancelled`: none was, and each was cancelled. `failed`: none was. It changes
         *     with them: a bank may return a payout later.
         * @enum {string}
         */
        PayoutBatchStatus: "awaiting_approval" | "processing" | "completed" | "completed_with_failures" | "failed" | "cancelled";
        /** @description Of its payouts, without those that were cancelled, failed or returned. */
        PayoutBatchTotals: {
            /** @description What is taken from your balances, fees included, by token and chain. */
            taken: {
                chain: components["schemas"]["ChainName"];
                /** @description The token. */
                token: string;
                /** @description In units of the token, fees included. */
                amount: string;
                /** @description How many. */
                payouts: number;
            }[];
            /** @description What destinations get, and the fees, by currency or token. */
            received: {
                /** @description ISO 4217 code, or the token. */
                currency: string;
                /** @description What destinations get, in units of it. */
                amount: string;
                /** @description What is kept for it, in units of it. */
                fee: string;
                /** @description How many. */
                payouts: number;
            }[];
        };
        /** @description What a batch would be if it were created now. */
        PayoutBatchCheck: {
            /** @description How many. */
            payouts: number;
            /** @description How many, saved and new. */
            destinations: number;
            /** @description How many of them would be saved, and cool off. */
            newDestinations: number;
            totals: components["schemas"]["PayoutBatchTotals"];
            /** @description A second owner has to approve it. */
            needsApproval: boolean;
        };
        /** @description Payouts that were created together. */
        PayoutBatch: {
            /** @description Of the batch; its payouts have it as `batchId`. */
            id: string;
            status: components["schemas"]["PayoutBatchStatus"];
            /** @description The sum of the revisions of its payouts: it grows with each change of one. */
            revision: number;
            /** @description Yours; null: not set. */
            reference: string | null;
            /** @description How many. */
            payouts: number;
            /** @description How many different ones; those of cancelled payouts alone are left out. */
            destinations: number;
            /** @description How many of its payouts are in each state. */
            counts: {
                /** @description Wait for the approval. */
                awaiting_approval: number;
                /** @description Are to be sent. */
                pending: number;
                /** @description Are on their way. */
                processing: number;
                /** @description Have arrived. */
                completed: number;
                /** @description Came back from the bank. */
                returned: number;
                /** @description Did not leave; their money is available again. */
                failed: number;
                /** @description Were cancelled before they left. */
                cancelled: number;
                /** @description May or may not have left. */
                unknown: number;
            };
            totals: components["schemas"]["PayoutBatchTotals"];
            /** @description An email address, or the beginning of a key and its name. */
            createdBy: string;
            /** @description Null if it needs no approval. */
            approval: {
                /** @description Of the approval. */
                id: string;
                needs: components["schemas"]["ApprovalNeeds"];
                /**
                 * @description `expired`: no decision was made in time, or before the batch ended in another way.
                 * @enum {string}
                 */
                state: "waiting" | "approved" | "refused" | "expired";
                /**
                 * Format: date-time
                 * @description The last moment of a decision.
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description Null: not decided.
                 */
                decidedAt: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
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
        /** @description The balance that a payout is taken from. */
        PayoutSource: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
        };
        /** @description Money on its way to a bank account or a wallet. */
        Payout: {
            /** @description The payout's id. */
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
            /** @description Of bank payouts: units of the currency for one token; null for others, and until it is priced. */
            rate: string | null;
            /** @description What the destination gets, in `receiveCurrency`; null until a payout is priced. */
            receiveAmount: string | null;
            /** @description ISO 4217 code of the bank account's currency; the token for a wallet. */
            receiveCurrency: string;
            /**
             * Format: date-time
             * @description Of bank payouts: when the price was decided; null for others, and until it is priced. An old one is renewed before the payout leaves.
             */
            pricedAt: string | null;
            /** @description Of wallets: what the address got, by the chain's records, once it is completed. Less than `receiveAmount` where the token keeps a fee. */
            amountReceived?: string;
            /** @description What the token kept of `receiveAmount`, with `amountReceived`. */
            tokenFee?: string;
            /** @description What the network took, in the chain's native coin; null until it is known. The platform pays it. */
            networkCost: {
                /** @description In whole coins. */
                amount: string;
                /** @description The coin's symbol. */
                token: string;
            } | null;
            /** @description The session whose payment is paid out, of an automatic payout; null for others. */
            sessionId: string | null;
            /** @description The payout batch that it was requested in, if any. */
            batchId?: string;
            /** @description Made when its session was paid. */
            automatic: boolean;
            /** @description Of the transaction to a wallet; null without one. A transaction that waits too long is replaced, by another hash. */
            txHash: string | null;
            /** @description Of bank payouts: the partner's id, once it is known; null until then, and for others. */
            partnerPaymentId: string | null;
            /** @description The partner's own word; null: not known. */
            partnerPaymentStatus: string | null;
            /** @description The proof of a payout that was marked as paid elsewhere; null for others. */
            paidElsewhere: string | null;
            /**
             * @description Why it waits or has failed; null without a reason. While `pending`: `held` (the operator has suspended the business, or has not approved it yet), `cooling_off`,
             *     `destination_approval`, `payout_limit`, `daily_limit`, `key_limit`, `price_changed` (its price was renewed and has to be confirmed), `outgoing_paused`,
             *     `payment_reversed`, `screening`, and others of chain and partner. Of `failed`:
             *     `approval_refused`, `approval_expired`, `approval_void`, `destination_archived`, `destination_not_approved`, `screening_denied`, and others. Of `cancelled`:
             *     `paid_elsewhere`, and others. `left_before_restore` of `unknown`: the partner has it from before a restore. Codes are added over
             *     time.
             */
            reason: string | null;
            /** @description Your own id; null if not set. */
            reference: string | null;
            /** @description Your own JSON object; null if not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Null if none is needed. */
            approval: {
                /** @description The approval's id. */
                id: string;
                needs?: components["schemas"]["ApprovalNeeds"];
                /**
                 * @description `expired`: no decision was made in time, or before the payout ended in another way.
                 * @enum {string}
                 */
                state: "waiting" | "approved" | "refused" | "expired";
                /**
                 * Format: date-time
                 * @description Until then it can be decided; later the payout fails.
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When it was decided; null: not decided.
                 */
                decidedAt: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it ended; null: it has not.
             */
            completedAt: string | null;
        };
        /**
         * @description What a waiting approval needs. `owner`: the decision of an owner who is independent of the request: did not make it, nor the key that did, and
         *     did not bring in or promote the member behind it, nor anybody between. `independent_owner`: the business has no such owner, so it waits for one
         *     to join. Null once it no longer waits.
         * @enum {string|null}
         */
        ApprovalNeeds: "owner" | "independent_owner" | null;
        /** @description Where a payout goes, as it was when the payout was created. */
        PaidDestination: {
            /** @description The destination's id. */
            id: string;
            kind: components["schemas"]["DestinationKind"];
            /** @description Shown to people; null: not set. */
            name: string | null;
            /** @description This and the next five: of a bank account; null for a wallet. */
            networkId: string | null;
            /** @description The bank's name; null for a wallet. */
            bankName: string | null;
            /** @description Of the bank, as ISO 3166 has it; null for a wallet. */
            country: string | null;
            /** @description ISO 4217 code; null for a wallet. */
            currency: string | null;
            /**
             * @description Masked: its last four characters, fewer of a short one; null for a wallet.
             * @example ****6789
             */
            accountNumber: string | null;
            /** @description Null in events, which are stored unsealed. */
            accountName: string | null;
            /** @description This and the next three: of a wallet; null for a bank account. */
            chain: string | null;
            /** @description The address, in the form that the chain shows; null for a bank account. */
            address: string | null;
            /** @description The memo that the receiver needs; null: not set. */
            memo: string | null;
            /**
             * @description Of `memo`; null: not set.
             * @enum {string|null}
             */
            memoType: "text" | "id" | "hash" | null;
        };
        /**
         * @description `bank`: a bank account. `wallet`: an address on a chain.
         * @enum {string}
         */
        DestinationKind: "bank" | "wallet";
        /**
         * @description `awaiting_approval`: a second owner has to approve it. `cooling_off`: payouts may go there from `usableFrom` on.
         * @enum {string}
         */
        DestinationStatus: "awaiting_approval" | "cooling_off" | "usable" | "archived";
        /** @description Shown to people. */
        DestinationName: string;
        /**
         * @description The kind of a memo on Stellar.
         * @enum {string}
         */
        DestinationMemoType: "text" | "id" | "hash";
        /** @description A bank account or wallet that payouts can go to. */
        PayoutDestination: {
            /** @description The destination's id. */
            id: string;
            kind: components["schemas"]["DestinationKind"];
            status: components["schemas"]["DestinationStatus"];
            /** @description Shown to people; null: not set. */
            name: string | null;
            /** @description This and the next five: of a bank account; null for a wallet. */
            networkId: string | null;
            /** @description The bank's name; null for a wallet. */
            bankName: string | null;
            /** @description Of the bank, as ISO 3166 has it; null for a wallet. */
            country: string | null;
            /** @description ISO 4217 code; null for a wallet. */
            currency: string | null;
            /**
             * @description Masked: its last four characters, fewer of a short one; null for a wallet.
             * @example ****6789
             */
            accountNumber: string | null;
            /** @description The owner of the account; null for a wallet. */
            accountName: string | null;
            /** @description This and the next three: of a wallet; null for a bank account. */
            chain: string | null;
            /** @description The address, in the form that the chain shows; null for a bank account. */
            address: string | null;
            /** @description The memo that the receiver needs; null: not set. */
            memo: string | null;
            /**
             * @description Of `memo`; null: not set.
             * @enum {string|null}
             */
            memoType: "text" | "id" | "hash" | null;
            /**
             * Format: date-time
             * @description From then on payouts may go there.
             */
            usableFrom: string;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was archived; null: it is not.
             */
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
        /** @description A text without control characters, and not of spaces alone. */
        CollectionText: string;
        /** @description The customer who pays. Stored sealed. */
        CollectionRecipient: {
            /** @description The full name, as on the document. */
            name: string;
            /** @description ISO 3166-1, two letters. */
            country: string;
            /**
             * @description E.164.
             * @example +2348012345678
             */
            phone: string;
            /** @description The postal address. */
            address: string;
            /**
             * @description Date of birth.
             * @example 1990-01-31
             */
            dob: string;
            /** @description The email address. */
            email: string;
            /** @description The number of the document `idType`. */
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
            /**
             * @description `bank`: a bank account. `momo`: a mobile money account.
             * @enum {string}
             */
            accountType: "bank" | "momo";
            /** @description The bank or mobile network, by its `id` in the collection options. */
            networkId?: string;
            /** @description The number of the bank account, or the phone number of the mobile money account. */
            accountNumber?: string;
        };
        /** @description A fiat collection: a customer pays in a bank's currency, and a wallet gets a stablecoin. */
        CollectionItem: {
            /**
             * Format: uuid
             * @description The collection's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The business that collects.
             */
            businessId: string;
            status: components["schemas"]["CollectionStatus"];
            /** @description A stable code: why it failed, or what it waits for; null: neither. Codes are added over time. */
            reason: string | null;
            /** @description What the customer pays, in `currency`. */
            amount: string;
            /** @description ISO 4217 code of the currency that the customer pays in. */
            currency: string;
            /** @description ISO 3166-1 code of the country that the customer pays from. */
            country: string;
            /** @description The wallet that gets the stablecoin. */
            walletAddress: string;
            /** @description The stablecoin that the wallet gets. */
            cryptoCurrency: string;
            /** @description The chain of the wallet. */
            cryptoNetwork: string;
            /** @description What the wallet gets, as the partner wrote it; null until it has. */
            cryptoAmount: string | null;
            /** @description This and the next two: where the customer pays to. Null until the partner has named it. */
            bankName: string | null;
            /** @description Its account number. Null like `bankName`. */
            bankAccountNumber: string | null;
            /** @description The name of its owner. Null like `bankName`. */
            bankAccountName: string | null;
            /** @description Units of the currency for a dollar, as the partner wrote it; null until it has. */
            rate: string | null;
            settlement: components["schemas"]["CollectionSettlement"];
            /** @description Of the settlement on the chain; null until it is known. */
            txId: string | null;
            /** @description Your own id; null if not set. */
            reference: string | null;
            /** @description Your own JSON object; null if not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description Until then the customer can pay; null until the partner has said.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
        };
        /** @description A fiat collection, with the partner's details. */
        Collection: {
            /**
             * Format: uuid
             * @description The collection's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The business that collects.
             */
            businessId: string;
            status: components["schemas"]["CollectionStatus"];
            /** @description A stable code: why it failed, or what it waits for; null: neither. Codes are added over time. */
            reason: string | null;
            /** @description What the customer pays, in `currency`. */
            amount: string;
            /** @description ISO 4217 code of the currency that the customer pays in. */
            currency: string;
            /** @description ISO 3166-1 code of the country that the customer pays from. */
            country: string;
            /** @description The wallet that gets the stablecoin. */
            walletAddress: string;
            /** @description The stablecoin that the wallet gets. */
            cryptoCurrency: string;
            /** @description The chain of the wallet. */
            cryptoNetwork: string;
            /** @description What the wallet gets, as the partner wrote it; null until it has. */
            cryptoAmount: string | null;
            /** @description This and the next two: where the customer pays to. Null until the partner has named it. */
            bankName: string | null;
            /** @description Its account number. Null like `bankName`. */
            bankAccountNumber: string | null;
            /** @description The name of its owner. Null like `bankName`. */
            bankAccountName: string | null;
            /** @description Units of the currency for a dollar, as the partner wrote it; null until it has. */
            rate: string | null;
            settlement: components["schemas"]["CollectionSettlement"];
            /** @description Of the settlement on the chain; null until it is known. */
            txId: string | null;
            /** @description Your own id; null if not set. */
            reference: string | null;
            /** @description Your own JSON object; null if not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description Until then the customer can pay; null until the partner has said.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
            /** @description The partner's id; null until it is known. */
            partnerPaymentId: string | null;
            /** @description The partner's own word; null: not known. */
            partnerPaymentStatus: string | null;
            /** @description What the customer names when paying, where the partner wants that; otherwise null. */
            partnerReference: string | null;
            /** @description As the partner wrote it; null until it has. */
            networkFeeUsd: string | null;
            /** @description As the partner wrote it; null until it has. */
            serviceFeeUsd: string | null;
            /** @description In `currency`, as the partner wrote it; null until it has. */
            convertedAmount: string | null;
        };
        /** @description Whether the process can serve requests. */
        Readiness: {
            /**
             * @description `unavailable`: at least one check is not `ok`.
             * @enum {string}
             */
            status: "ok" | "unavailable";
            /** @description Each check by its name: `ok` or `unavailable`. */
            checks: {
                [key: string]: string;
            };
        };
        /**
         * @description `owner`: everything. `developer`: changes by the API, keys and webhooks. `viewer`: reads. `cashier`: the till alone.
         * @enum {string}
         */
        Role: "owner" | "developer" | "viewer" | "cashier";
        /** @description A new password. One that is known from leaks or easy to guess is refused. */
        NewPassword: string;
        /** @description The name of a person. */
        PersonName: string;
        /** @description The name of a business. */
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
        /** @description The answer where there is nothing to say. */
        Nothing: {
            /**
             * @description It is done.
             * @enum {boolean}
             */
            ok: true;
        };
        /** @description The secret of a link of an invitation, a reset or a proof of the address. */
        InvitationToken: string;
        /** @description The signed-in account, and the businesses that it belongs to. */
        Me: {
            /** @description The signed-in account. */
            account: {
                /**
                 * Format: uuid
                 * @description The account's id.
                 */
                id: string;
                /** @description The address that the person signs in with. */
                email: string;
                /** @description The person's name. */
                name: string;
                /** @description Whether an authenticator is set up. */
                totp: boolean;
                /** @description How many passkeys the account has. */
                passkeys: number;
                /** @description How many recovery codes were not used yet. */
                recoveryCodesLeft: number;
                /** @description Whether the account operates the platform. */
                operator: boolean;
                /** @description Whether a link that was only mailed to the address was used. */
                emailProven: boolean;
                /** @description Access tokens write for it if a request names no business. Null: no default. */
                defaultBusinessId: string | null;
                /**
                 * Format: date-time
                 * @description When the account was made.
                 */
                createdAt: string;
            };
            /** @description The account's businesses, with its role in each. */
            businesses: {
                /**
                 * Format: uuid
                 * @description The business's id.
                 */
                id: string;
                /** @description The business's name. */
                name: string;
                role: components["schemas"]["Role"];
                approval: components["schemas"]["Approval"];
            }[];
            /** @description Whether the platform sends mail. */
            mail: boolean;
        };
        /** @description A name by which the person knows the passkey. */
        PasskeyName: string;
        /** @description In base64url, without padding. */
        PasskeyBytes: string;
        /** @description The credential's id, in base64url. */
        PasskeyId: string;
        /** @description How the authenticator can be reached, as the browser reports it (WebAuthn, 5.8.4). */
        PasskeyTransports: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];
        /** @description A passkey of the account. */
        Passkey: {
            /**
             * Format: uuid
             * @description The passkey's id here; not the credential's.
             */
            id: string;
            /** @description The name that the person gave it. */
            name: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last signed in or confirmed; null: never.
             */
            lastUsedAt: string | null;
        };
        /** @description The result of `navigator.credentials.create` (WebAuthn, 5.2.1). */
        NewPasskey: {
            id: components["schemas"]["PasskeyId"];
            /** @description What the browser signed for, as JSON (WebAuthn, 5.8.1). */
            clientDataJSON: components["schemas"]["PasskeyBytes"];
            /** @description The new public key, with what the authenticator says about it. */
            attestationObject: components["schemas"]["PasskeyBytes"];
            transports: components["schemas"]["PasskeyTransports"];
        };
        /** @description The result of `navigator.credentials.get` (WebAuthn, 5.2.2), instead of `totp`, once. */
        PasskeyAnswer: {
            id: components["schemas"]["PasskeyId"];
            /** @description What the browser signed for, as JSON (WebAuthn, 5.8.1). */
            clientDataJSON: components["schemas"]["PasskeyBytes"];
            /** @description What the authenticator says about itself and its user. */
            authenticatorData: components["schemas"]["PasskeyBytes"];
            /** @description The authenticator's signature. */
            signature: components["schemas"]["PasskeyBytes"];
        };
        /** @description Passkeys that the browser may or must not use. */
        PasskeyDescriptors: {
            /** @description The credential's id, in base64url. */
            id: string;
            /**
             * @description The one type that WebAuthn has.
             * @enum {string}
             */
            type: "public-key";
            transports: components["schemas"]["PasskeyTransports"];
        }[];
        /** @description `PublicKeyCredentialRequestOptionsJSON` (WebAuthn, 5.1.10). */
        PasskeyRequest: {
            /** @description Random bytes that the authenticator signs, in base64url; good once. */
            challenge: string;
            /** @description The domain that passkeys are bound to. */
            rpId: string;
            /** @description How long the browser may wait, in milliseconds. */
            timeout: number;
            allowCredentials: components["schemas"]["PasskeyDescriptors"];
            /**
             * @description The authenticator asks for a PIN or a finger where it can.
             * @enum {string}
             */
            userVerification: "preferred";
        };
        /** @description `PublicKeyCredentialCreationOptionsJSON` (WebAuthn, 5.1.9). */
        PasskeyCreation: {
            /** @description Random bytes that the answer must have, in base64url; good once. */
            challenge: string;
            /** @description The site that the passkey is for. */
            rp: {
                /** @description The domain that passkeys are bound to. */
                id: string;
                /** @description The site's name. */
                name: string;
            };
            /** @description The account that the passkey is for. */
            user: {
                /** @description The account's handle, in base64url: no personal data. */
                id: string;
                /** @description The account's email address. */
                name: string;
                /** @description The person's name. */
                displayName: string;
            };
            /** @description Algorithms that are taken, the preferred first. */
            pubKeyCredParams: {
                /**
                 * @description The one type that WebAuthn has.
                 * @enum {string}
                 */
                type: "public-key";
                /** @description The algorithm's number in COSE, as -7 for ES256. */
                alg: number;
            }[];
            /** @description How long the browser may wait, in milliseconds. */
            timeout: number;
            excludeCredentials: components["schemas"]["PasskeyDescriptors"];
            /** @description What the authenticator must be able to do. */
            authenticatorSelection: {
                /**
                 * @description The passkey need not be stored on the authenticator.
                 * @enum {string}
                 */
                residentKey: "discouraged";
                /**
                 * @description The authenticator asks for a PIN or a finger where it can.
                 * @enum {string}
                 */
                userVerification: "preferred";
            };
            /**
             * @description No statement about the authenticator's make is wanted.
             * @enum {string}
             */
            attestation: "none";
        };
        /** @description Recovery codes. They cannot be shown again. */
        RecoveryCodes: {
            /** @description Ten codes; each replaces the second factor once. */
            recoveryCodes: string[];
        };
        /** @description A sign-in that is not over. */
        SignIn: {
            /**
             * Format: uuid
             * @description The sign-in's id.
             */
            id: string;
            /**
             * @description `dashboard`: a browser's session. `token`: an access token of the API.
             * @enum {string}
             */
            kind: "dashboard" | "token";
            /** @description Whether it is the session of this request. */
            current: boolean;
            /** @description The client's IP address. */
            address: string;
            /** @description What the client called itself; null: nothing. */
            userAgent: string | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last used.
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description When it ends at the latest.
             */
            expiresAt: string;
        };
        /** @description An invitation or another mailed link, as its receiver sees it. */
        InvitationSeen: {
            /**
             * @description `reset`: sets a new password. `prove`: proves the address.
             * @enum {string}
             */
            purpose: "member" | "operator" | "reset" | "prove";
            /** @description The address that it is for. */
            email: string;
            /** @description Null if it is for no business. */
            role: components["schemas"]["Role"] | null;
            /** @description The business that it is for; null: for none. */
            businessName: string | null;
            /** @description Who sent it; null: a command of the operator, or the person's own request. */
            invitedBy: string | null;
            /** @description Only the mailbox got the link: using it proves the address. */
            isMailed: boolean;
            /** @description For a reset: memberships that it ends, because the address was not proven when they began. */
            ends: {
                /** @description The business's name. */
                businessName: string;
                role: components["schemas"]["Role"];
            }[];
            /** @description The address has an account: sign in, then join. */
            hasAccount: boolean;
            /**
             * Format: date-time
             * @description Until then the link can be used.
             */
            expiresAt: string;
        };
        /** @description A business of the platform. */
        Business: {
            /**
             * Format: uuid
             * @description The business's id.
             */
            id: string;
            /** @description The business's name. */
            name: string;
            localCurrency: components["schemas"]["LocalCurrency"];
            timeZone: components["schemas"]["TimeZone"];
            approval: components["schemas"]["Approval"];
            /** @description The operator's reason; null without one. */
            approvalReason: string | null;
            /** @description Owners, and developers who change something, may act only after two-step sign-in. */
            ownersNeedSecondFactor: boolean;
            /**
             * Format: date-time
             * @description When that ends; null: not at all.
             */
            secondFactorUntil?: string | null;
            waitingApproval?: components["schemas"]["WaitingChange"];
            /**
             * Format: date-time
             * @description When it was opened.
             */
            createdAt: string;
        };
        /** @description A person who belongs to the business. */
        Member: {
            /**
             * Format: uuid
             * @description The person's account.
             */
            accountId: string;
            /** @description The address that the person signs in with. */
            email: string;
            /** @description The person's name. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description Whether they use a second factor. */
            secondFactor: boolean;
            /**
             * Format: date-time
             * @description When they joined.
             */
            joinedAt: string;
        };
        /** @description A member, and the change of their role that waits for a second owner. */
        WaitingMember: {
            /**
             * Format: uuid
             * @description The person's account.
             */
            accountId: string;
            /** @description The address that the person signs in with. */
            email: string;
            /** @description The person's name. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description Whether they use a second factor. */
            secondFactor: boolean;
            /**
             * Format: date-time
             * @description When they joined.
             */
            joinedAt: string;
            approval: components["schemas"]["WaitingChange"];
        };
        /** @description An invitation that is open. */
        Invitation: {
            /**
             * Format: uuid
             * @description The invitation's id.
             */
            id: string;
            /** @description The address that it is for. */
            email: string;
            role: components["schemas"]["Role"];
            /** @description Who invited; null: a command of the operator. */
            invitedBy: string | null;
            /** @description The state of its mail; null: the link was handed over. */
            mail: ("waiting" | "sent" | "failed") | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until then it can be accepted.
             */
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
        /**
         * @description `expired` and `revoked` keys are refused.
         * @enum {string}
         */
        KeyState: "active" | "expired" | "revoked";
        /** @description A name by which people know the key. */
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
        /** @description An API key, without its secret. */
        ApiKey: {
            /**
             * Format: uuid
             * @description The key's id.
             */
            id: string;
            /** @description The name that it was given. */
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            scope: components["schemas"]["Scope"];
            state: components["schemas"]["KeyState"];
            /** @description Addresses and networks that it may be used from; null: any. */
            allowedAddresses: string[] | null;
            /** @description Its own limit; null: the business's. */
            requestsPerMinute: number | null;
            /** @description What it may do; null: all that its scope allows, except what is reserved to owners. */
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
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description The account's email address; null if it was made with the deployment. */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description From then on it is refused; null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null: it was not.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Updated some seconds after the use; null: it was never used.
             */
            lastUsedAt: string | null;
            /** @description The IP address of its last use; null: never used. */
            lastUsedAddress: string | null;
            /** @description The id of the key that replaced it in a rotation; null: not replaced. */
            replacedBy: string | null;
        };
        /** @description A new key with its secret. */
        NewApiKey: {
            key: components["schemas"]["ApiKey"];
            /** @description The key itself. It cannot be shown again. */
            secret: string;
        };
        /**
         * @description A web site: scheme, host and port, without a path.
         * @example https://shop.example
         */
        WebOrigin: string;
        /**
         * @description `publishable`: for browsers; it starts verifications and reads their status.
         * @enum {string}
         */
        VerificationKeyKind: "secret" | "publishable";
        /** @description A key of the verification area, without its secret. */
        VerificationKey: {
            /**
             * Format: uuid
             * @description The key's id.
             */
            id: string;
            /** @description The name that it was given. */
            name: string;
            kind: components["schemas"]["VerificationKeyKind"];
            /** @description The first characters of the key. */
            prefix: string;
            /** @description Web sites that may use it in a browser. */
            origins: string[];
            state: components["schemas"]["KeyState"];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description The account's email address; null if it was made with the deployment. */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description From then on it is refused; null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null: it was not.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Updated some seconds after the use; null: it was never used.
             */
            lastUsedAt: string | null;
            /** @description The IP address of its last use; null: never used. */
            lastUsedAddress: string | null;
            /** @description The id of the key that replaced it in a rotation; null: not replaced. */
            replacedBy: string | null;
        };
        /** @description A new key with its secret. */
        NewVerificationKey: {
            key: components["schemas"]["VerificationKey"];
            /** @description The key itself. It cannot be shown again. */
            secret: string;
        };
        /** @description In whole units, as `12.5`; null: no limit. */
        LimitAmount: string | null;
        /** @description Limits of what is sent of one token on one chain. */
        AmountLimit: {
            chain: components["schemas"]["ChainName"];
            /**
             * @description `native`: the chain's own coin.
             * @enum {string}
             */
            token: "native" | "usdc" | "usdt";
            /** @description The most that one transfer may send. */
            perTransfer: components["schemas"]["LimitAmount"];
            /** @description The most that may be sent within any 24 hours. */
            perDay: components["schemas"]["LimitAmount"];
            /** @description A transfer above it needs a second owner's approval. */
            approvalAbove: components["schemas"]["LimitAmount"];
        };
        /** @description An address that may be sent to. */
        SendDestination: {
            chain: components["schemas"]["ChainName"];
            /** @description The address, in any form that the chain has for it. */
            address: string;
            /** @description For receivers on stellar that are identified by memo: only transfers with this memo are sent. Left out: any memo, or no memo. */
            memo?: string;
            /**
             * @description Of the memo; default: text.
             * @enum {string}
             */
            memoType?: "text" | "id" | "hash";
        };
        /** @description Limits by chain and token: what the list leaves out cannot be sent. Null: no limits. */
        AmountLimits: components["schemas"]["AmountLimit"][] | null;
        /** @description The only addresses that may be sent to; null: any. */
        SendDestinations: components["schemas"]["SendDestination"][] | null;
        /** @description Limits of what a stored wallet or a key sends. */
        SendLimits: {
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
        };
        /** @description Limits that allow more and apply later; null without any. */
        NextLimits: {
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
            /**
             * Format: date-time
             * @description From then on they apply.
             */
            from: string;
        } | null;
        /** @description Limits that apply now, and higher ones that will. */
        CurrentLimits: {
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
            next: components["schemas"]["NextLimits"];
        };
        /** @description Limits that apply now, and the higher ones that wait for a second owner. */
        WaitingLimits: {
            next: components["schemas"]["NextLimits"];
            amounts: components["schemas"]["AmountLimits"];
            destinations: components["schemas"]["SendDestinations"];
            approval: components["schemas"]["WaitingChange"];
        };
        /** @description A change that waits for a second owner. */
        WaitingChange: {
            /**
             * Format: uuid
             * @description The approval's id.
             */
            id: string;
            /**
             * @description It waits for a decision.
             * @enum {string}
             */
            state: "waiting";
            /**
             * Format: date-time
             * @description Until then it can be decided.
             */
            expiresAt: string;
        };
        /** @description What can send: stored wallets and API keys, with their limits. */
        Senders: {
            /** @description Keys that may send from wallets, pay out or refund, the newest first: 200 at most. */
            keys: {
                next: components["schemas"]["NextLimits"];
                /**
                 * Format: uuid
                 * @description The key's id.
                 */
                id: string;
                /** @description The key's name. */
                name: string;
                /** @description The first characters of the key. */
                prefix: string;
                amounts: components["schemas"]["AmountLimits"];
                destinations: components["schemas"]["SendDestinations"];
            }[];
            /** @description Stored wallets that are not archived, the newest first: 200 at most. */
            wallets: {
                next: components["schemas"]["NextLimits"];
                /**
                 * Format: uuid
                 * @description The wallet's id.
                 */
                id: string;
                /** @description The wallet's name; null: not set. */
                name: string | null;
                chain: components["schemas"]["ChainName"];
                /** @description The wallet's address. */
                address: string;
                amounts: components["schemas"]["AmountLimits"];
                destinations: components["schemas"]["SendDestinations"];
            }[];
        };
        /** @description A page of approvals. */
        SendApprovals: {
            /** @description The approvals of this page. */
            approvals: components["schemas"]["SendApproval"][];
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
        /** @description Something that a second owner has to approve. */
        SendApproval: {
            /**
             * Format: uuid
             * @description The approval's id.
             */
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
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            askedAt: string;
            /**
             * Format: date-time
             * @description Until then it can be decided.
             */
            expiresAt: string;
            /** @description The email address of who decided; null: not decided. */
            decidedBy: string | null;
            /**
             * Format: date-time
             * @description When it was decided; null: not decided.
             */
            decidedAt: string | null;
            /** @description Of the subject `transfer`; otherwise null. */
            transfer: {
                /**
                 * Format: uuid
                 * @description The transfer's id.
                 */
                id: string;
                chain: components["schemas"]["ChainName"];
                /** @description The symbol of what is sent. */
                symbol: string;
                /** @description The amount, in whole units. */
                amount: string;
                /** @description The stored wallet that sends. */
                fromAddress: string;
                /** @description The address that gets it. */
                toAddress: string;
                /** @description The memo for the receiver; absent without one. */
                memo?: string;
                /**
                 * @description The transfer's state.
                 * @enum {string}
                 */
                status: "pending" | "confirmed" | "failed";
                /** @description Why it waits or failed, as a stable code; null without a reason. */
                reason: string | null;
            } | null;
            /** @description Of the subject `bridge-burn`. */
            bridge?: {
                /**
                 * Format: uuid
                 * @description The bridge transfer's id.
                 */
                id: string;
                /** @description The chain of the wallet that sends. */
                sourceChain: components["schemas"]["ChainName"];
                /** @description The chain that the USDC is for. */
                destinationChain: components["schemas"]["ChainName"];
                /** @description In USDC. */
                amount: string;
                /** @description The stored wallet that sends. */
                sourceAddress: string;
                /** @description Who gets the USDC at the other chain. */
                destinationAddress: string;
                /**
                 * @description The bridge transfer's state.
                 * @enum {string}
                 */
                status: "pending" | "in_progress" | "completed" | "failed";
            };
            payout?: components["schemas"]["Payout"];
            /** @description Its subject is `payout`, too: one decision for all of its payouts. */
            batch?: components["schemas"]["PayoutBatch"];
            /** @description Its subject is `payout`, too. */
            refund?: {
                /**
                 * Format: uuid
                 * @description The refund's id.
                 */
                id: string;
                /** @description The refund's state, as in `Refund`. */
                status: string;
                revision: components["schemas"]["PayoutRevision"];
                chain: components["schemas"]["ChainName"];
                /** @description The token that is refunded. */
                token: string;
                /** @description The amount, in whole tokens. */
                amount: string;
                /** @description Where it goes; null until the customer has named an address. */
                toAddress: string | null;
                /** @description The memo of `toAddress`; null: not set. */
                memo: string | null;
                /** @description The session that is refunded; null: no session. */
                sessionId: string | null;
                /** @description Why it waits or has ended, as a stable code; null without a reason. */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When it was requested.
                 */
                createdAt: string;
            };
            destination?: components["schemas"]["PayoutDestination"];
            /** @description The fields that change: of the payout settings; targets of autopayout, by `<chain>:<token>`; or `ownersNeedSecondFactor`. */
            setting?: {
                /**
                 * @description Which settings.
                 * @enum {string}
                 */
                name: "payout_settings" | "autopayout" | "second_factor";
                /** @description Changed fields, as they are. */
                before: {
                    [key: string]: unknown;
                };
                /** @description Changed fields, as they would be. */
                after: {
                    [key: string]: unknown;
                };
            };
            /** @description Of the subject `limits`: what would change. */
            limits?: {
                /**
                 * @description What the limits are of.
                 * @enum {string}
                 */
                kind: "wallet" | "key";
                /**
                 * Format: uuid
                 * @description The id of the wallet or key.
                 */
                id: string;
                /** @description Its name; null: not set. */
                name: string | null;
                /** @description The limits now. */
                before: components["schemas"]["SendLimits"];
                /** @description The limits that would apply. */
                after: components["schemas"]["SendLimits"];
            };
            /** @description Of the subject `owner`: who would become an owner. */
            owner?: {
                /**
                 * Format: uuid
                 * @description The person's account.
                 */
                accountId: string;
                /** @description The person's address. */
                email: string;
            };
        };
        /** @description A business at a glance. */
        Overview: {
            /**
             * Format: date-time
             * @description When it was read.
             */
            at: string;
            /** @description The business's; USD where it has none. */
            currency: string;
            /** @description IANA name of the zone of the days. */
            timeZone: string;
            /** @description Payments that were paid: today, and in the last 7 and 30 days with today. */
            taken: {
                /** @description The day so far, in `timeZone`. */
                today: components["schemas"]["Taken"];
                /** @description The last 7 days, with today. */
                last7Days: components["schemas"]["Taken"];
                /** @description The last 30 days, with today. */
                last30Days: components["schemas"]["Taken"];
            };
            /** @description The last 30 days with today, the oldest first. */
            days: {
                /**
                 * Format: date
                 * @description The day, in `timeZone`.
                 */
                date: string;
                /** @description In `currency`. */
                amount: string;
                /** @description How many sessions were paid. */
                payments: number;
                /** @description The same by network and token; without those that were not taken. */
                assets: components["schemas"]["TakenAsset"][];
            }[];
            /** @description What was taken in 30 days and has no price now. */
            unpriced: components["schemas"]["UnpricedAmount"][];
            /** @description Sessions that ended in these 30 days. */
            sessions: {
                /** @description How many were paid. */
                paid: number;
                /** @description Expired or cancelled. */
                unpaid: number;
            };
            /** @description Median time from the moment a payment was seen until its session was paid, of the last 500 that were paid in 30 days; null: none was. */
            confirmSeconds: string | null;
            /** @description What the business has, in `currency`. */
            balances: {
                /** @description `available`, `pending` and what is held or staked, less what is owed; in `currency`. */
                total: string;
                /** @description What can be paid out, in `currency`. */
                available: string;
                /** @description Confirmed money of sessions that are pending, and money that is held, in `currency`. */
                pending: string;
                /** @description What has no price now, and is not in the sums. */
                unpriced: components["schemas"]["UnpricedAmount"][];
            };
            needs: components["schemas"]["OverviewNeeds"];
            /** @description The newest event of the business: a stream of events may go on after it. */
            latestEvent: number;
        };
        /** @description What was taken in a time. */
        Taken: {
            /** @description In `currency`. */
            amount: string;
            /** @description How many sessions were paid. */
            payments: number;
        };
        /** @description What was taken in one token on one chain. */
        TakenAsset: {
            /** @description The chain. */
            chain: string;
            /** @description The token's symbol. */
            token: string;
            /** @description In whole tokens. */
            tokens: string;
            /** @description In `currency`; null: it has no price. */
            amount: string | null;
            /** @description How many sessions were paid. */
            payments: number;
        };
        /** @description An amount that has no price. */
        UnpricedAmount: {
            /** @description Null: on no network. */
            chain: string | null;
            /** @description The symbol. */
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
                /** @description There are more than `count`. */
                isMore: boolean;
                /** @description At most three. */
                newest: {
                    /**
                     * Format: uuid
                     * @description The session's id.
                     */
                    id: string;
                    /** @description Your own id; null if not set. */
                    reference: string | null;
                    /** @description The chain of the session. */
                    chain: string;
                    /** @description The token of the session. */
                    token: string;
                    /** @description What came so far, in the session's token. */
                    amountReceived: string;
                    /**
                     * @description How the money differs from what was expected.
                     * @enum {string}
                     */
                    exception: "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain";
                }[];
            };
            /** @description Approvals that wait for an owner. */
            approvals: number;
            /** @description Webhook endpoints that do not take events. */
            failingEndpoints: {
                /**
                 * Format: uuid
                 * @description The endpoint's id.
                 */
                id: string;
                /** @description Where events are sent. */
                url: string;
                /**
                 * @description `paused`: by Cowry, because it failed or is gone.
                 * @enum {string}
                 */
                status: "failing" | "paused";
            }[];
            /** @description Networks whose newest blocks were not read yet. */
            delayedChains: {
                /** @description The chain. */
                chain: string;
                /**
                 * Format: date-time
                 * @description Payments since then are not seen yet.
                 */
                since: string;
            }[];
            /** @description Networks where the treasury has too little of the native coin; null: only operators of the platform see it. */
            lowGas: {
                /** @description The chain. */
                chain: string;
                /** @description The symbol of its native coin. */
                symbol: string;
                /** @description What the treasury has, in whole coins. */
                balance: string;
                /** @description What it should have at least, in whole coins. */
                lowWater: string;
            }[] | null;
        };
        /** @description What a till can take. */
        Till: {
            /** @description Its name. */
            business: string;
            /** @description The path of its logo, if it has one. */
            logo?: string;
            /** @description Null: amounts are in a token, as there is no currency or no rate. */
            currency: components["schemas"]["LocalCurrency"];
            /** @description Chains that the business takes payments on. */
            networks: {
                chain: components["schemas"]["ChainName"];
                /** @description Tokens of the chain that the business accepts. */
                tokens: components["schemas"]["TokenSymbol"][];
                /** @description False: sessions are refused until its first block is read. */
                ready: boolean;
                /**
                 * Format: date-time
                 * @description The time of the newest block read, if the chain is read late: payments since then are not seen yet. Null: it is not.
                 */
                delayedSince: string | null;
            }[];
        };
        /** @description What a till shows of a session; `checkoutUrl` leads to its state. */
        TillSession: {
            /**
             * Format: uuid
             * @description The session's id.
             */
            id: string;
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Exact amount of the token to send. */
            amountExpected: string;
            /** @description The amount seen so far, including late money. */
            amountReceived: string;
            /** @description What `amountExpected` is worth in `localCurrency`; null without a currency or rate. */
            localAmount: string | null;
            /** @description ISO 4217 code; null without a currency. */
            localCurrency: string | null;
            status: components["schemas"]["SessionStatus"];
            exception: components["schemas"]["SessionException"];
            /** @description A page where the customer pays and sees how far the payment is. Who has the URL can see it. Only events from versions before this field lack it. */
            checkoutUrl: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until then a payment counts; a later one is an exception, `late`.
             */
            expiresAt: string;
        };
        /** @description The sessions of a day that were made at the till. */
        TillDay: {
            /**
             * Format: date
             * @description The day, in `timeZone`.
             */
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
                /** @description The sum, in `currency`. */
                amount: string;
            }[];
            /** @description The newest sessions of the day. */
            sessions: components["schemas"]["TillSession"][];
        };
        /** @description The pages of a block explorer. */
        Explorer: {
            chain: components["schemas"]["ChainName"];
            /** @description The page of a transaction, with `{id}` in the place of its id. */
            transaction: string;
            /** @description The page of an address, with `{id}` in its place. */
            address: string;
        };
        /** @description One thing that happened to a session, or to its money. */
        TimelineEntry: {
            /**
             * @description What happened.
             * @enum {string}
             */
            kind: "created" | "payment_seen" | "payment_confirmed" | "payment_reverted" | "paid" | "expired" | "cancelled" | "payout_created" | "payout_sent" | "payout_completed" | "payout_failed" | "payout_cancelled" | "refund_created" | "refund_sent" | "refund_completed" | "refund_failed" | "refund_cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description This, `token` and `amount`: of a payment, payout or refund; null for others. */
            chain: string | null;
            /** @description The symbol; null like `chain`. */
            token: string | null;
            /** @description In whole tokens; null like `chain`. */
            amount: string | null;
            /** @description Of a payment; null for others. */
            txId: string | null;
            /**
             * @description Of the payment; `overpaid` of `paid`, and `underpaid` of `expired`; null without one.
             * @enum {string|null}
             */
            exception: "underpaid" | "overpaid" | "late" | "wrong_token" | "wrong_chain" | null;
            /** @description Of a payout or a refund; null for others. */
            outflowId: string | null;
            /** @description Why a payout or a refund failed or was cancelled; null otherwise. */
            reason: string | null;
        };
        /** @description What happens to payments in one token on one chain. */
        AutopayoutSetting: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Whether each paid session is paid out by itself. */
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
        /** @description Automatic payouts: what is set for each token of each chain. */
        Autopayout: {
            waitingApproval?: components["schemas"]["WaitingChange"];
            /** @description Chains of the deployment. */
            networks: {
                chain: components["schemas"]["ChainName"];
                /** @description The chain's tokens. */
                tokens: {
                    token: components["schemas"]["TokenSymbol"];
                    /** @description Whether each paid session is paid out by itself. */
                    enabled: boolean;
                    /**
                     * Format: uuid
                     * @description The saved destination; null: none was chosen.
                     */
                    destinationId: string | null;
                    problem: components["schemas"]["AutopayoutProblem"];
                }[];
            }[];
        };
        /**
         * @description `paid`: a session was paid. `exception`: less or more came than was requested, it came late, or the chain took it back.
         *     `payout_failed`: a payout failed or was returned. `endpoint_failing`: Cowry paused a webhook endpoint, or gave up deliveries.
         */
        NotificationKinds: ("paid" | "exception" | "payout_failed" | "endpoint_failing")[];
        /** @description Which mails about events the caller gets from a business. */
        Notifications: {
            kinds: components["schemas"]["NotificationKinds"];
            email: components["schemas"]["Email"];
            /** @description Only a proven address gets these mails. */
            emailProven: boolean;
            /** @description Whether this deployment sends mail. */
            sendsMail: boolean;
        };
        /** @description A bank that payouts can go to. */
        PayoutBank: {
            /** @description The `networkId` of a destination. */
            id: string;
            /** @description The bank's name. */
            name: string;
            /** @description The bank's code in its country. */
            code: string;
            /** @description ISO 3166-1 code of the bank's country. */
            countryCode: string;
            /** @description ISO 4217 codes of the currencies that it is paid in. */
            currencies: string[];
        };
        /** @description From the saving of a destination until payouts may go there; 0: at once. */
        CoolingOffHours: number;
        /** @description In US dollars, as `2500` or `99.5`; null: no limit. */
        DollarLimit: string | null;
        /** @description A higher limit that was requested; null: not set. */
        NextDollarLimit: {
            /** @description The limit, in US dollars; null: no limit. */
            value: components["schemas"]["DollarLimit"];
            /**
             * Format: date-time
             * @description From then on it applies.
             */
            from: string;
        } | null;
        /** @description Limits and waiting times of payouts. */
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
                /** @description Of one payout or refund. */
                maxPerPayout: components["schemas"]["NextDollarLimit"];
                /** @description Of all payouts and refunds within any 24 hours. */
                maxPerDay: components["schemas"]["NextDollarLimit"];
                /** @description A payout or refund above it needs a second owner's approval. */
                approvalAbove: components["schemas"]["NextDollarLimit"];
            };
            /** @description A shorter time that was requested; null without one. */
            next: {
                coolingOffHours: components["schemas"]["CoolingOffHours"];
                /**
                 * Format: date-time
                 * @description From then on it applies.
                 */
                from: string;
            } | null;
            excessHoldDays: components["schemas"]["ExcessHoldDays"];
            /** @description A shorter time that was requested; null without one. */
            nextExcessHold: {
                excessHoldDays: components["schemas"]["ExcessHoldDays"];
                /**
                 * Format: date-time
                 * @description From then on it applies.
                 */
                from: string;
            } | null;
        };
        /** @description For how long what comes beyond the amount of a session is held, before it is yours by itself. */
        ExcessHoldDays: number;
        /** @description A text without control characters, and not of spaces alone. */
        LegalText: string;
        /**
         * @description Hosts that the `returnUrl` of a session may have, as `shop.example.com`; names in other letters in their ASCII form (`xn--…`). Each host is
         *     named by itself: those below it are not included. Left out of a change, they stay.
         */
        ReturnHosts: string[];
        /** @description Networks and tokens that customers may pay with; null: all of the deployment's, now and later. */
        Accepted: {
            chain: components["schemas"]["ChainName"];
            /** @description Tokens of the chain that are accepted. */
            tokens: components["schemas"]["TokenSymbol"][];
        }[] | null;
        /**
         * @description How much of a session's amount may be missing, so that it is paid all the same with what came: `percent`, a share of up to 10, or
         *     `amount`, in units of its token. No session is paid with less than nine tenths of its amount. Null: nothing may be missing. Left out of a
         *     change, it stays.
         */
        Tolerance: {
            /**
             * @description The share that may be missing, in percent of the session's amount.
             * @example 0.5
             */
            percent?: string;
            /**
             * @description What may be missing, in whole units of the session's token.
             * @example 0.25
             */
            amount?: string;
        } | null;
        /** @description How a business takes payments. */
        PaymentSettings: {
            localCurrency: components["schemas"]["LocalCurrency"];
            /** @description Set by the operator of the platform. Deducted from the payout. */
            feePercent: string;
            /** @description Set by the operator of the platform. */
            fxMarginPercent: string;
            /** @description True: all networks and tokens are accepted, later ones too. */
            acceptsAll: boolean;
            tolerance: components["schemas"]["Tolerance"];
            returnHosts: components["schemas"]["ReturnHosts"];
            /** @description Its path; null without a logo. */
            logo: string | null;
            /** @description All that the deployment offers. */
            networks: {
                chain: components["schemas"]["ChainName"];
                /** @description The chain's tokens. */
                tokens: {
                    token: components["schemas"]["TokenSymbol"];
                    /** @description Whether customers may pay with it. */
                    accepted: boolean;
                }[];
            }[];
        };
        /** @description In whole units of the token, as `12.5`: a deposit address with less is not swept. */
        SweepThreshold: string;
        /** @description When deposit addresses of one token on one chain are swept. */
        SweepSetting: {
            chain: components["schemas"]["ChainName"];
            token: components["schemas"]["TokenSymbol"];
            /** @description Whether they are swept by themselves. */
            enabled: boolean;
            threshold: components["schemas"]["SweepThreshold"];
        };
        /** @description What is set for each token of each chain. */
        Autosweep: {
            /** @description Chains of the deployment. */
            networks: {
                chain: components["schemas"]["ChainName"];
                /**
                 * @description How money comes to the platform's treasury. `sweep`: from each deposit address, by sweeps. `direct`: payments arrive there, and nothing is swept. `none`: no sweep on this network yet.
                 * @enum {string}
                 */
                collection: "sweep" | "direct" | "none";
                /** @description The chain's tokens. */
                tokens: {
                    token: components["schemas"]["TokenSymbol"];
                    /** @description Whether deposit addresses are swept by themselves. */
                    enabled: boolean;
                    threshold: components["schemas"]["SweepThreshold"];
                }[];
            }[];
        };
        /**
         * @description `open`: under way. `done`: the money is in the treasury, finally. `failed`: this attempt ended; the address is planned again.
         * @enum {string}
         */
        SweepState: "open" | "done" | "failed";
        /** @description Money on its way from a deposit address to the treasury. */
        Sweep: {
            /**
             * Format: uuid
             * @description The sweep's id.
             */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description The token's symbol. */
            symbol: string;
            /** @description In whole units. */
            amount: string;
            /** @description The deposit address. */
            address: string;
            state: components["schemas"]["SweepState"];
            /**
             * @description What it waits for. `planned`: a worker. `waiting`: a lower cost. `funding`: gas for the address. `authorizing`: the treasury's signature. `ready`: others that go with it. `sending`: a confirmed block. `swept`: the block to be final. `done` and `failed`: nothing.
             * @enum {string}
             */
            status: "planned" | "waiting" | "funding" | "authorizing" | "ready" | "sending" | "swept" | "done" | "failed";
            /** @description Why it waits or failed, as a stable code; null without a reason. */
            reason: string | null;
            /** @description The transaction's hash or signature; null until it is signed. */
            txId: string | null;
            /**
             * Format: date-time
             * @description When it was planned.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something of it last changed.
             */
            updatedAt: string;
        };
        /** @description What the treasury holds of one asset on one chain. */
        Float: {
            chain: components["schemas"]["ChainName"];
            /** @description The asset's symbol. */
            symbol: string;
            /** @description In whole units. */
            balance: string;
            /** @description The low-water mark, in whole units. */
            lowWater: string;
            /** @description Less than the low-water mark. */
            isLow: boolean;
            /** @description The treasury's; null until its process wrote it. */
            address: string | null;
            /**
             * Format: date-time
             * @description When the balance was read.
             */
            readAt: string;
        };
        /** @description Who did what to what. */
        AuditEntry: {
            /**
             * Format: uuid
             * @description The entry's id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was done.
             */
            at: string;
            /** @description The action, as `key.created`. */
            action: string;
            /** @description Who did it. */
            actor: {
                /**
                 * @description `system`: a command of the operator, or Cowry itself.
                 * @enum {string}
                 */
                kind: "account" | "api_key" | "system";
                /** @description The id of the account or key; null for `system`. */
                id: string | null;
                /** @description An email address, the beginning of a key, or a command. */
                label: string;
            };
            /** @description The business that it concerns; null: the platform, or an account alone. */
            businessId: string | null;
            /** @description That business's name; null like `businessId`. */
            businessName: string | null;
            /** @description The id of the changed object; null without one. */
            target: string | null;
            /** @description The object by its name; null: it is not there any more, or the target is no id. */
            subject: {
                /**
                 * @description What it is.
                 * @example endpoint
                 */
                kind: string;
                /** @description The object's id. */
                id: string;
                /** @description Null: it has no name of its own. */
                label: string | null;
            } | null;
            /** @description Changed fields, as they were; null: not noted. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Changed fields, as they are since; null: it was removed, or nothing changed that may be shown. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The client's address; null: it was no request. */
            address: string | null;
            /** @description The `X-Request-Id` of the request; null: it was no request. */
            requestId: string | null;
        };
        /** @description The name of a queue, as `webhooks`. */
        QueueName: string;
        /** @description What a replay did. */
        ReplayedJobs: {
            /** @description How many are tried again. */
            jobs: number;
        };
        /** @description A job that failed at every try, and was given up. */
        DeadJob: {
            /** @description The job's id. */
            id: string;
            /** @description The queue that it belongs to. */
            queue: string;
            /** @description The error of the last try; null: not noted. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was enqueued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was given up.
             */
            deadAt: string;
            /** @description What the job is about; null: not known. */
            subject: {
                /**
                 * @description What it is.
                 * @example session
                 */
                kind: string;
                /** @description Its id. */
                id: string;
                /** @description The business that it belongs to; null: to none. */
                businessId: string | null;
                /** @description That business's name; null like `businessId`. */
                businessName: string | null;
            } | null;
        };
        /** @description How the platform does, by parts. A part is null where it could not be read. */
        Health: {
            /**
             * Format: date-time
             * @description When it was read.
             */
            at: string;
            /** @description Of the api process. */
            version: string;
            /** @description What does not work, the urgent first: the counterparts of alerts that the database can tell. */
            problems: {
                /**
                 * @description The alert that fires for the same.
                 * @example CowryOutboxDead
                 */
                alert: string;
                /**
                 * @description `page`: it needs an operator now. `ticket`: within days.
                 * @enum {string}
                 */
                severity: "page" | "ticket";
                /** @description What is wrong, and where. */
                message: string;
                /**
                 * @description Below docs/runbooks.
                 * @example an-outbox-row-is-dead.md
                 */
                runbook: string;
            }[];
            /** @description Every chain of the deployment; null: it could not be read. */
            chains: components["schemas"]["ChainHealth"][] | null;
            /** @description The queues; null: it could not be read. */
            queues: {
                /**
                 * @description As a worker saw it; `unknown`: no worker reports.
                 * @enum {string}
                 */
                redis: "ok" | "no_answer" | "unknown";
                /**
                 * Format: date-time
                 * @description When a worker last reported; null: no job does.
                 */
                reportedAt: string | null;
                /** @description Each queue, in the order of the capabilities. */
                queues: components["schemas"]["QueueHealth"][];
            } | null;
            /** @description Payout partners; null: it could not be read. */
            partners: components["schemas"]["PartnerHealth"][] | null;
            /** @description Backups of the database; null: it could not be read. */
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
                /** @description Seconds since `archivedAt`; 0 if it is null. */
                archiveSeconds: number;
                /** @description Seconds since `checkedUpTo`; before the first check, since the first member of a business. */
                checkSeconds: number;
            } | null;
            /** @description The database; null: it could not be read. */
            database: {
                /** @description The last that ran; null: not known. */
                migration: string | null;
                /** @description True: nothing is signed or sent before it is reconciled. */
                isRestored: boolean;
                /** @description The last close of the books; null: there was none. */
                close: {
                    /**
                     * Format: date-time
                     * @description When it ended.
                     */
                    at: string;
                    /** @description How many differences it found. */
                    drifts: number;
                } | null;
            } | null;
        };
        /** @description How far a chain is read, and what its nodes do. */
        ChainHealth: {
            chain: components["schemas"]["ChainName"];
            /**
             * @description `silent`: no indexer reports; `unreadable`: a block holds something that this version does not know; `halted`: the chain gives no new
             *     block; `behind`: the newest block that was read is old; `reading`: none was read yet.
             * @enum {string}
             */
            state: "ok" | "reading" | "behind" | "halted" | "unreadable" | "silent";
            /** @description Of the newest block that was read; null: no block was read. */
            height: number | null;
            /**
             * Format: date-time
             * @description The time in that block; null: no block was read.
             */
            lastBlockAt: string | null;
            /** @description As a node reported it; null: not reported. */
            head: number | null;
            /** @description Blocks between the two; null where one is not known. */
            lag: number | null;
            /** @description Blocks below the newest one that were not read. */
            gaps: number;
            /** @description Blocks whose internal transfers were not read. */
            untraced: number;
            /** @description Its nodes and providers, as an indexer sees them. */
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
            /** @description Nothing is signed or sent; null: it is not paused. */
            paused: {
                /** @description Why it was paused. */
                reason: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                since: string;
            } | null;
            /** @description The treasury has too little to pay for transactions; null: it has enough. */
            lowGas: {
                /** @description The symbol of the native coin. */
                symbol: string;
                /** @description What the treasury has, in whole coins. */
                balance: string;
                /** @description What it should have at least, in whole coins. */
                lowWater: string;
            } | null;
            /**
             * Format: date-time
             * @description When an indexer last reported; null: none did.
             */
            reportedAt: string | null;
        };
        /** @description A queue of background jobs. */
        QueueHealth: {
            /** @description The queue's name. */
            queue: string;
            /** @description In Redis, as a worker counted them; null: not known. */
            jobs: {
                /** @description Jobs that are ready for a worker. */
                waiting: number;
                /** @description Jobs that a worker has. */
                active: number;
                /** @description Jobs whose time has not come. */
                delayed: number;
                /** @description Of the last day; most were tried again since. */
                failed: number;
            } | null;
            /**
             * Format: date-time
             * @description Since when the oldest waits; null: no job does.
             */
            oldestAt: string | null;
            /** @description Jobs in the database whose effect is not stored yet; null: none, or the queue has rows of its own. */
            unfinished: number | null;
            /**
             * Format: date-time
             * @description Since when the oldest of these waits; null: no job does.
             */
            unfinishedSince: string | null;
            /** @description Given up after all tries. */
            dead: number;
        };
        /** @description A payout partner. */
        PartnerHealth: {
            /** @description The partner's name, as `yellowcard`. */
            name: string;
            /** @description Nothing is submitted to it; null: it is not paused. */
            pause: {
                /** @description Why it was paused. */
                reason: string;
                /** @description Who paused it: an email address, or a command. */
                by: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                since: string;
            } | null;
            /** @description Payouts whose outcome is not known. */
            unknown: number;
            /**
             * Format: date-time
             * @description When its balance was last read; null: it was not read.
             */
            readAt: string | null;
            /** @description The last daily comparison with the partner's list of payments; null: there was none. */
            comparison: {
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                at: string;
                /** @description Payments without a payout of the same amount, and the other way round. */
                unmatched: number;
            } | null;
        };
        /** @description A business, as the operator sees it. */
        OperatedBusiness: {
            /**
             * Format: uuid
             * @description The business's id.
             */
            id: string;
            /** @description The business's name. */
            name: string;
            localCurrency: components["schemas"]["LocalCurrency"];
            timeZone: components["schemas"]["TimeZone"];
            approval: components["schemas"]["Approval"];
            /** @description The operator's reason; null without one. */
            approvalReason: string | null;
            /** @description Owners, and developers who change something, may act only after two-step sign-in. */
            ownersNeedSecondFactor: boolean;
            /**
             * Format: date-time
             * @description When that ends; null: not at all.
             */
            secondFactorUntil?: string | null;
            /** @description The platform's fee, in percent of each payout. */
            feePercent: string;
            /** @description The platform's margin on the exchange rate, in percent. */
            fxMarginPercent: string;
            /** @description Their email addresses. */
            owners: string[];
            /** @description Transfers and bridge transfers that are neither signed nor sent while it is suspended. */
            heldTransfers: number;
            caps: components["schemas"]["OwnCaps"];
            /** @description How many members it has. */
            memberCount: number;
            /** @description Payments that were taken. */
            volume?: {
                /** @description The day so far. */
                today: components["schemas"]["BusinessTaken"];
                /** @description The last 30 days. */
                days30: components["schemas"]["BusinessTaken"];
                /**
                 * Format: date-time
                 * @description When the last payment was taken; null: never.
                 */
                lastPaymentAt: string | null;
            };
            /**
             * Format: date-time
             * @description When it was opened.
             */
            createdAt: string;
        };
        /** @description What a business took in a time. */
        BusinessTaken: {
            /** @description How many payments. */
            payments: number;
            /** @description In US dollars, rounded down to cents; a stablecoin counts as one. */
            dollars: string;
        };
        /** @description A cap that the operator set; null: the deployment's default. */
        Cap: number | null;
        /** @description Caps that the operator set for the business; null: the deployment's default. */
        OwnCaps: {
            /** @description Addresses that may be monitored at once. */
            monitoredAddresses: components["schemas"]["Cap"];
            /** @description Sessions that may be pending at once. */
            openSessions: components["schemas"]["Cap"];
            /** @description Webhook endpoints at one host. */
            endpointsPerHost: components["schemas"]["Cap"];
            /** @description Deliveries under way to one host; more wait. */
            deliveriesPerHost: components["schemas"]["Cap"];
            /** @description Blocks that may be read again within 24 hours (`fromBlock`). */
            importBlocksPerDay: components["schemas"]["Cap"];
            /** @description Deliveries that may be replayed within 24 hours. */
            replaysPerDay: components["schemas"]["Cap"];
            /** @description Requests to nodes within 24 hours. */
            nodeQuestionsPerDay: components["schemas"]["Cap"];
        };
        /** @description The caps of businesses without caps of their own. */
        DefaultCaps: {
            /** @description Addresses that may be monitored at once. */
            monitoredAddresses: number;
            /** @description Sessions that may be pending at once. */
            openSessions: number;
            /** @description Webhook endpoints at one host. */
            endpointsPerHost: number;
            /** @description Deliveries under way to one host; more wait. */
            deliveriesPerHost: number;
            /** @description Blocks that may be read again within 24 hours (`fromBlock`). */
            importBlocksPerDay: number;
            /** @description Deliveries that may be replayed within 24 hours. */
            replaysPerDay: number;
            /** @description Requests to nodes within 24 hours. */
            nodeQuestionsPerDay: number;
        };
        /** @description A transfer of a suspended business that is held. */
        OperatedTransfer: {
            /**
             * Format: uuid
             * @description The transfer's id.
             */
            id: string;
            chain: components["schemas"]["ChainName"];
            /** @description The asset's symbol. */
            symbol: string;
            /** @description The amount, in whole units. */
            amount: string;
            /** @description The address that sends. */
            fromAddress: string;
            /** @description The address that gets it. */
            toAddress: string;
            /** @description The memo for the receiver; absent without one. */
            memo?: string;
            /**
             * @description `wallet`: a stored wallet; only these can be given up. `caller`: a key that came with the request. `external`: a submitted signature.
             * @enum {string}
             */
            signer: "wallet" | "caller" | "external";
            /**
             * @description The transfer's state.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "failed";
            /** @description Why it waits or failed, as a stable code; null without a reason. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /** @description A second owner has yet to approve it. */
            waitsForApproval: boolean;
        };
        /** @description A partner that pays out to banks. */
        PayoutPartner: {
            /**
             * @description The partner's name.
             * @example yellowcard
             */
            name: string;
            /** @description False: the deployment has no account there any more. */
            isConfigured: boolean;
            /** @description Empty until a worker has read them. */
            balances: {
                /**
                 * @description ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /**
                 * @description In whole units; negative if the account is overdrawn.
                 * @example 12345.67
                 */
                available: string;
                /**
                 * Format: date-time
                 * @description When a worker read it.
                 */
                readAt: string;
            }[];
            /** @description Payouts that were submitted and have not ended. */
            underWay: {
                /** @description How many. */
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
            /** @description Nothing is submitted to it; null: it is not paused. */
            pause: {
                /** @description Why it was paused. */
                reason: string;
                /** @description An email address, or a command. */
                by: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                since: string;
            } | null;
            /** @description The top-up that is under way: until it is seen in the balance; null: no top-up. */
            topUp: {
                /**
                 * Format: uuid
                 * @description The top-up's id.
                 */
                id: string;
                chain: components["schemas"]["ChainName"];
                token: components["schemas"]["TokenSymbol"];
                /** @description In whole units of the token. */
                amount: string;
                /**
                 * @description `unknown`: it may have left or not.
                 * @enum {string}
                 */
                status: "pending" | "processing" | "unknown" | "completed";
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                createdAt: string;
            } | null;
            /** @description The last daily comparison with the partner's list of payments; null before the first. */
            comparison: {
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                at: string;
                /** @description Payments without a payout of the same amount, and the other way round. */
                unmatched: number;
                /** @description What the partner's balance has above the books, in US dollars; null: it did not say. */
                drift: string | null;
            } | null;
        };
        /** @description The name that customers see. */
        PlanName: string;
        /** @description What customers read about the plan. */
        PlanDescription: string;
        /** @description A share in percent, as `5.5`. */
        PlanPercent: string;
        /**
         * @description What is charged for: an identity check, a risk assessment, or a decision.
         * @enum {string}
         */
        VerificationProduct: "verification" | "assessment" | "decision";
        /** @description Prices of the verification area. */
        VerificationPrices: {
            /** @description Prices by product, country and kind of document. */
            prices: {
                product: components["schemas"]["VerificationProduct"];
                /** @description ISO 3166-1 code of the country that it is for; null: any. */
                country: string | null;
                /** @description The kind of document that it is for; null: any. */
                idType: string | null;
                /**
                 * @description US dollars
                 * @example 0.25
                 */
                price: string;
                /**
                 * Format: date-time
                 * @description When it was last set.
                 */
                updatedAt: string;
            }[];
        };
        /**
         * @description `pending_credit`: it waits for credit. `queued`, `processing`: under way. `completed`: the data are right. `failed`: they are not. `not_found`: no such identity is known. `error`: it could not be made, and is not charged.
         * @enum {string}
         */
        VerificationStatus: "pending_credit" | "queued" | "processing" | "completed" | "failed" | "not_found" | "error";
        /** @description A verification without personal data. */
        ShownVerification: {
            /**
             * Format: uuid
             * @description The verification's id.
             */
            id: string;
            /** @description Your own id of the request. */
            requestId: string;
            status: components["schemas"]["VerificationStatus"];
            /** @description For people; where it ended without success. */
            reason?: string;
            /** @description Why, as a stable code; where it ended without success. */
            reasonCode?: string;
            /** @description ISO 3166-1 code of the document's country. */
            country: string;
            /** @description The kind of document that was checked. */
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
        /** @description What can be collected, and where it can be settled. */
        CollectionOptions: {
            /** @description Null: the deployment has no partner that collects, and the lists are empty. */
            partner: string | null;
            /** @description Ways to pay, by country and currency. */
            channels: components["schemas"]["CollectionChannel"][];
            /** @description Chains of the deployment, with the tokens that the partner settles there. */
            networks: {
                chain: components["schemas"]["ChainName"];
                /** @description Tokens that the partner settles in on the chain. */
                tokens: components["schemas"]["TokenSymbol"][];
            }[];
        };
        /** @description A way to pay in one country and currency. */
        CollectionChannel: {
            /** @description ISO 3166-1, two letters. */
            country: string;
            /** @description ISO 4217 code. */
            currency: string;
            /**
             * @description `bank`: a bank account. `momo`: a mobile money account.
             * @enum {string}
             */
            accountType: "bank" | "momo";
            /** @description Of one collection, in the currency. */
            min: string;
            /** @description Null: the channel has no maximum of its own. */
            max: string | null;
            /** @description The banks or mobile networks that money comes from. */
            networks: {
                /** @description The `networkId` of a source. */
                id: string;
                /** @description The name of the bank or network. */
                name: string;
            }[];
        };
        /** @description An event, without its data. */
        LoggedEvent: {
            /** @description Of the event. */
            id: string;
            /** @description Such as `session.paid`. */
            type: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            /** @description Its number among the events of the business. */
            sequence: number;
            /** @description What it is about; null if it is about nothing else, or was erased. */
            object: null | {
                /** @description Such as `session`, as in the event's type; `callback_host` is a callback host. */
                kind: string;
                /** @description Of the object. */
                id: string;
                /** @description The reference of the business; null without one. */
                reference: string | null;
            };
            /** @description How many of its deliveries are in each state; all are 0 if no endpoint takes it: by its type, or by its filters. */
            deliveries: {
                /** @description Still to be made. */
                pending: number;
                /** @description Taken by the endpoint. */
                delivered: number;
                /** @description Given up. */
                failed: number;
            };
        };
        /** @description A month of the books. */
        LedgerMonth: {
            /** @description The month, as `2026-11`. */
            month: string;
            /** @description IANA name of the zone that the month begins and ends in. */
            timeZone: string;
            /**
             * @description `waiting`: it is closed once no entry can be missing any more.
             * @enum {string}
             */
            state: "waiting" | "closed";
            /**
             * Format: date-time
             * @description Where the month begins.
             */
            from: string;
            /**
             * Format: date-time
             * @description Not included.
             */
            to: string;
            /** @description Who asked for its closing. */
            askedBy: components["schemas"]["MonthOwner"];
            /**
             * Format: date-time
             * @description When its closing was requested.
             */
            askedAt: string;
            /** @description Who closed it; null: it waits. */
            closedBy: components["schemas"]["MonthOwner"] | null;
            /**
             * Format: date-time
             * @description When it was closed; null: it waits.
             */
            closedAt: string | null;
        };
        /** @description Who asked. */
        MonthOwner: {
            /** @description The id of the account. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /** @description A close of the books: entries are chained by hashes, and compared with the chains. */
        LedgerClose: {
            /** @description The close's id. */
            id: string;
            /**
             * Format: date-time
             * @description When it started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            endedAt: string;
            /** @description How many it chained. */
            entries: number;
            /** @description Hash of the last entry of the chain, hexadecimal. */
            lastHash: string;
            /** @description How many differences it found. */
            drifts: number;
            /** @description Chains that hold money by the books, or were compared with them: what the last comparison said. */
            chains: {
                /** @description The chain. */
                chain: string;
                /**
                 * Format: date-time
                 * @description `null`: it was never compared.
                 */
                checkedAt: string | null;
                /** @description Compared as of this block or a later one; `null`: as of the time. */
                height: number | null;
                /** @description How many differences the comparison found; null: it was not compared. */
                drifts: number | null;
                /** @description It was not compared since the close before: counts as a difference. */
                isOverdue: boolean;
            }[];
            /** @description The first of them. */
            differences: {
                /** @description `balance`, `asset`, `chain_hash`, `chain` or `chain_overdue`. */
                kind: string;
                /** @description What differs: an account, an asset, an address or a chain. */
                subject: string;
                /** @description What the books have. */
                expected: string;
                /** @description What was found. */
                found: string;
            }[];
        };
        /**
         * @description `waiting` for another operator; `expired` if none decided in time.
         * @enum {string}
         */
        AdjustmentState: "waiting" | "approved" | "refused" | "expired";
        /** @description The business sees it at its entry. */
        AdjustmentReason: string;
        /** @description `available` of the business, in `USD` its prepaid `credit`, or an account of the platform. `deposits:`, `treasury:` and `staking:` name the chain of the asset, `partner:` the partner that has the dollars. */
        AdjustedAccount: string;
        /** @description A posting by hand that one operator proposes and another approves. */
        Adjustment: {
            /**
             * Format: uuid
             * @description The adjustment's id.
             */
            id: string;
            /** @description The business whose books it changes; null: the operator's alone. */
            business: {
                /**
                 * Format: uuid
                 * @description The business's id.
                 */
                id: string;
                /** @description The business's name. */
                name: string;
            } | null;
            /** @description The account that is debited. */
            debit: string;
            /** @description The account that is credited. */
            credit: string;
            /** @description The asset, as `polygon:USDC` or `USD`. */
            asset: string;
            /** @description The asset's symbol. */
            symbol: string;
            /** @description The amount, in whole units. */
            amount: string;
            /** @description Why, in the words of the operator who proposed it. */
            reason: string;
            /**
             * Format: uuid
             * @description It gives this payment to the business, books it as the operator's, or sends it back; null for other adjustments.
             */
            suspensePaymentId: string | null;
            /** @description Where the payment goes back to; null for other adjustments. */
            toAddress: string | null;
            /** @description The memo of `toAddress`; null: not set. */
            memo: string | null;
            /** @description Of `memo`; null: not set. */
            memoType: string | null;
            state: components["schemas"]["AdjustmentState"];
            /** @description An email address. */
            proposedBy: string;
            /** @description You proposed it: another operator has to approve it. */
            own: boolean;
            /**
             * Format: date-time
             * @description When it was proposed.
             */
            proposedAt: string;
            /**
             * Format: date-time
             * @description Until then it can be decided.
             */
            expiresAt: string;
            /** @description The email address of who decided; null: not decided. */
            decidedBy: string | null;
            /**
             * Format: date-time
             * @description When it was decided; null: not decided.
             */
            decidedAt: string | null;
        };
        /** @description A payment that came to an address of the platform, and that no session could be found for. */
        SuspendedPayment: {
            /**
             * Format: uuid
             * @description The payment's id.
             */
            id: string;
            /**
             * @description `held`: it waits. `given`: an operator decided whose it is. `returning`, `returned`: it goes, or went, back to its sender. `reverted`: the chain took it back.
             * @enum {string}
             */
            state: "held" | "given" | "returning" | "returned" | "reverted";
            chain: components["schemas"]["ChainName"];
            /** @description The asset's symbol. */
            symbol: string;
            /** @description The amount, in whole units. */
            amount: string;
            /** @description Who sent it. */
            fromAddress: string;
            /** @description Its memo; null: not set. */
            memo: string | null;
            /** @description Of `memo`; null: not set. */
            memoType: string | null;
            /** @description The transaction's hash or signature. */
            txId: string;
            /**
             * Format: date-time
             * @description The time of its block.
             */
            blockTime: string;
            /** @description The business that got it; null: not set. */
            business: {
                /**
                 * Format: uuid
                 * @description The business's id.
                 */
                id: string;
                /** @description The business's name. */
                name: string;
            } | null;
            /**
             * @description The operator's account that it was booked to; null: it was not booked.
             * @enum {string|null}
             */
            account: "rewards" | "capital" | null;
            /** @description It came to a staking address. */
            isOfStaking: boolean;
            /** @description Giving it to an owner, or sending it back, was proposed. */
            waitsForApproval: boolean;
        };
        /** @description What a payout would cost now. */
        PayoutEstimate: {
            /** @description In `feeCurrency`. */
            fee: string;
            /** @description The currency of a bank account; the token for a wallet. */
            feeCurrency: string;
            /** @description Of bank payouts: units of the currency for one token; null for others, and until it is priced. */
            rate: string | null;
            /** @description What the destination would get, in `receiveCurrency`. */
            receiveAmount: string;
            /** @description ISO 4217 code of the bank account's currency; the token for a wallet. */
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
                    /** @description Chains, with the tokens that can be paid on each. */
                    networks: {
                        chain: components["schemas"]["ChainName"];
                        /** @description Tokens that can be paid on the chain. */
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
                    /** @description Every chain of this deployment. */
                    chains: {
                        chain: components["schemas"]["ChainName"];
                        /**
                         * @description The chain's own rule.
                         * @enum {string}
                         */
                        finality: "confirmations" | "finalized";
                        /** @description Used instead if `finality` is `finalized` and no node reports finality. */
                        confirmations: number;
                        /** @description Your choice of earlier credit for small amounts; null: you made none. */
                        early: components["schemas"]["EarlyFinality"] | null;
                        /** @description Your choice, in whole tokens: larger or equal amounts wait until the chain calls their block finalized. Null: you made none. */
                        largeFrom: string | null;
                        /** @description The operator's bounds for your choices. */
                        bounds: {
                            /** @description The smallest `confirmations` that you may choose. */
                            leastConfirmations: number;
                            /** @description Larger amounts are never credited before the chain's own rule. */
                            earlyUpTo: string;
                            /** @description Larger or equal amounts always wait for a finalized block; null: there is no such amount. */
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
        /** @description The batch. */
        PayoutBatch: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayoutBatch"];
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
                    /** @description Null until it was given. */
                    profile: {
                        /** @description The name of the company or merchant. */
                        businessName: string;
                        /** @description Masked. */
                        registrationNumber: string;
                        /** @description ISO 3166-1 code of its country. */
                        country: string;
                        /** @description Its postal address. */
                        address: string;
                        /** @description Masked. */
                        phone: string;
                        /** @description Masked. */
                        email: string;
                        /**
                         * Format: date-time
                         * @description When it was last replaced.
                         */
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
        /** @description The session. */
        SessionId: string;
        /** @description The payment link. */
        PaymentLinkId: string;
        /** @description The secret part of the link's address. */
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
        /** @description The payout batch. */
        PayoutBatchId: string;
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
                    /** @description The address that sends. */
                    fromAddress: components["schemas"]["Address"];
                    /** @description Who gets it. */
                    toAddress: components["schemas"]["Address"];
                    /** @description What to send, in whole units of `token`. */
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
                        /** @description A JWT: send it as `Authorization: Bearer …`. */
                        accessToken: string;
                        /**
                         * @description How the token is sent in the header `Authorization`.
                         * @enum {string}
                         */
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
                        /**
                         * @description What the request was made with.
                         * @enum {string}
                         */
                        credential: "access_token" | "api_key";
                        /** @description Null for an API key. */
                        account: components["schemas"]["AccountName"] | null;
                        /** @description Null for an access token. */
                        apiKey: {
                            /**
                             * Format: uuid
                             * @description The key's id, which the dashboard and the audit log have.
                             */
                            id: string;
                            /** @description The name that the key was given. */
                            name: string;
                            /** @description The first characters of the key. */
                            prefix: string;
                            /**
                             * Format: date-time
                             * @description From then on the key is refused; null: never.
                             */
                            expiresAt: string | null;
                        } | null;
                        /** @description Null if the account belongs to no business. */
                        business: {
                            /**
                             * Format: uuid
                             * @description The business that requests are made for.
                             */
                            id: string;
                            /** @description The business's name. */
                            name: string;
                            approval: components["schemas"]["Approval"];
                        } | null;
                        /**
                         * @description Null for an API key.
                         * @enum {string|null}
                         */
                        role: "owner" | "developer" | "viewer" | null;
                        /**
                         * @description `read`: only reads. `write`: also changes and sends.
                         * @enum {string}
                         */
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
                        /** @description The keys that sign now, that signed tokens still valid, or that sign next. */
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
    getAmountLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits, in the order in which they were set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAmountLimits"];
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
    setAmountLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All limits that there are from then on; none removes them. */
                    limits: {
                        token: components["schemas"]["TokenSymbol"];
                        /** @description Null, the default: all chains that have no limit of their own for the token. */
                        chain?: components["schemas"]["ChainName"] | null;
                        min?: components["schemas"]["SessionAmountLimit"];
                        max?: components["schemas"]["SessionAmountLimit"];
                    }[];
                };
            };
        };
        responses: {
            /** @description The limits as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAmountLimits"];
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
                    /** @description Fiat amount to convert. */
                    localAmount?: components["schemas"]["Amount"];
                    localCurrency?: components["schemas"]["Currency"];
                    /** @description Amount of the token. */
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
                        /** @description Chains, with the tokens that can be paid on each. */
                        networks: {
                            chain: components["schemas"]["ChainName"];
                            /** @description Tokens that can be paid on the chain. */
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
                        /** @description Chains, with the tokens that can be paid on each. */
                        networks: {
                            chain: components["schemas"]["ChainName"];
                            /** @description Tokens that can be paid on the chain. */
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
    listCurrencies: {
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
            /** @description The currencies, by their code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "currencies": [
                     *         {
                     *           "currency": "NGN",
                     *           "decimals": 2,
                     *           "rate": "1610",
                     *           "rateAt": "2026-11-28T12:00:00.000Z",
                     *           "rateSource": "yellowcard"
                     *         },
                     *         {
                     *           "currency": "USD",
                     *           "decimals": 2,
                     *           "rate": "1",
                     *           "rateAt": "2026-11-28T12:00:05.000Z",
                     *           "rateSource": "parity"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Currencies, by their code. */
                        currencies: {
                            currency: components["schemas"]["Currency"];
                            /** @description Decimal places that an amount in it may have, by ISO 4217. */
                            decimals: number;
                            /** @description Units of the currency for one token, before your margin. */
                            rate: string;
                            /**
                             * Format: date-time
                             * @description When its source observed the rate.
                             */
                            rateAt: string;
                            /** @description Whose rate it is: `yellowcard`, `openexchangerates`, `fixed` or `parity`. */
                            rateSource: string;
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
                        /** @description Banks, by name. */
                        banks: {
                            /** @description The `networkId` of a payout. */
                            id: string;
                            /** @description The bank's name. */
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
                /** @description Only in these states. */
                status?: components["schemas"]["SessionStatus"][];
                /** @description Only with these exceptions. */
                exception?: components["schemas"]["SessionException"][];
                /** @description Only with exactly this reference. */
                reference?: string;
                /** @description The sessions that a payment link made. */
                linkId?: string;
                /** @description A part of a session's id, address, memo, `reference` or `label`, of three letters or digits or more in a row; a shorter `reference` as a whole. Or an amount that was requested, in the token or in `localCurrency`; or the id of a transaction that paid it, of which the first eight characters are enough on chains with ids in hexadecimal digits. */
                search?: string;
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
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The sessions of this page. */
                        sessions: components["schemas"]["Session"][];
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
                    /**
                     * @description `accept`: the session is paid with what came. `leave`: nothing more is to be done.
                     * @enum {string}
                     */
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
                /** @description Only in these states. */
                status?: components["schemas"]["PaymentLinkStatus"][];
                /** @description Only links with this reference of yours. */
                reference?: string;
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
            /** @description A page of links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The links of this page. */
                        links: components["schemas"]["PaymentLink"][];
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
                /** @description The payment link. */
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
                /** @description The payment link. */
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
                /** @description The secret part of the link's address. */
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
                /** @description The secret part of the link's address. */
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
            /** @description A page of monitored addresses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The addresses of this page. */
                        addresses: components["schemas"]["MonitoredAddress"][];
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
                    /** @description Addresses to monitor, each with its metadata if you like. One that is named twice is added once. */
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
                    /** @description Replaces the metadata; null removes them. */
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
                /** @description By the order of the request. */
                sort?: "ASC" | "DESC";
                /** @description The `nextCursor` of the page before, of the same list with the same filters and `sort`. */
                cursor?: components["parameters"]["Cursor"];
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
                        /** @description The addresses of this page, in the order of the request. */
                        addresses: components["schemas"]["AddedAddress"][];
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
                /** @description Only in these states. */
                status?: ("pending" | "running" | "completed" | "failed" | "cancelled")[];
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
            /** @description A page of imports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The imports of this page. */
                        imports: components["schemas"]["MonitoringImport"][];
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
    getWebhookCallbacks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hosts, in alphabetical order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCallbacks"];
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
    setWebhookCallbacks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Host names as `shop.example.com`, in their ASCII form. Each is named by itself: those below it are not included. */
                    hosts: string[];
                };
            };
        };
        responses: {
            /** @description The hosts as they are now. `secret` is shown only where this request made it; null otherwise. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCallbacksWithSecret"];
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
    rotateCallbackSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
                    "application/json": components["schemas"]["WebhookCallbacksWithSecret"];
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
                        /** @description Your endpoints, the oldest first. */
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
                    chains?: components["schemas"]["EndpointChains"];
                    tokens?: components["schemas"]["EndpointTokens"];
                    referencePrefix?: components["schemas"]["EndpointReferencePrefix"];
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
                        /** @description It was removed. */
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
                    chains?: components["schemas"]["EndpointChains"];
                    tokens?: components["schemas"]["EndpointTokens"];
                    referencePrefix?: components["schemas"]["EndpointReferencePrefix"];
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
                /** @description Only in these states. */
                status?: components["schemas"]["DeliveryStatus"][];
                /** @description An event type, all of a topic as `session.*`, or `*`. */
                type?: string;
                /** @description Only of this endpoint. */
                endpointId?: string;
                /** @description Only of this event. */
                eventId?: string;
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
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The deliveries of this page. */
                        webhooks: components["schemas"]["WebhookDelivery"][];
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
                    /** @description Only deliveries of events from this time on. */
                    since: components["schemas"]["Instant"];
                    /** @description Only deliveries of events before this time; now, if it is left out. */
                    until?: components["schemas"]["Instant"];
                    /**
                     * Format: uuid
                     * @description Only deliveries to this endpoint, or to the callback host with this `id`; left out: to all. One that was removed is refused: 409 `endpoint_removed`.
                     */
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
                        /** @description How many deliveries were replayed. */
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
                        /** @description Events in the order of their sequence numbers. */
                        events: components["schemas"]["EventRecord"][];
                        /** @description The `after` of the next call. */
                        nextAfter: number;
                        /** @description There are more after `nextAfter`. */
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
                    /** @description Your choice for each chain that you name; the others keep their own rule. */
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
                        /**
                         * Format: date-time
                         * @description The time that the balances are of.
                         */
                        at: string;
                        /** @description Null where the currency has no rate now. */
                        total: components["schemas"]["BalanceTotal"] | null;
                        /** @description One for each asset that you have or had. */
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
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The entries of this page. */
                        entries: components["schemas"]["LedgerEntry"][];
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
                    /** @description The address to read, in any form that the chain has for it. */
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
            /** @description A page of wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The wallets of this page. */
                        wallets: components["schemas"]["Wallet"][];
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
                    /** @description Shown to people; null removes it. */
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
                    /** @description Who gets it. */
                    toAddress: components["schemas"]["Address"];
                    /** @description What to send, in whole units of `token`. */
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
                    /** @description Who gets it. */
                    toAddress: components["schemas"]["Address"];
                    /** @description What to send, in whole units of `token`. */
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
                /** @description Only in these states. */
                status?: components["schemas"]["TransferStatus"][];
                /** @description Only of this stored wallet. */
                walletId?: string;
                /** @description Its id, the hash of any transaction that was signed for it, or an address that it is from or to. */
                search?: string;
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
            /** @description A page of transfers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The transfers of this page. */
                        transfers: components["schemas"]["Transfer"][];
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
                    /** @description What to sell, in whole units of `sellToken`. */
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
                    /** @description What to sell, in whole units of `sellToken`. */
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
                /** @description Only in these states. */
                status?: components["schemas"]["SwapStatus"][];
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
            /** @description A page of swaps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The swaps of this page. */
                        swaps: components["schemas"]["Swap"][];
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
                /** @description Only in these states. */
                status?: components["schemas"]["BridgeStatus"][];
                /** @description Only from this chain. */
                sourceChain?: components["schemas"]["ChainName"];
                /** @description Only to this chain. */
                destinationChain?: components["schemas"]["ChainName"];
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
            /** @description A page of bridge transfers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The transfers of this page. */
                        transfers: components["schemas"]["BridgeTransfer"][];
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
                        /** @description Plans that take stakes. */
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
                    /** @description The staking plan. */
                    planId: string;
                    /** @description What to stake, in whole units of the plan's token. */
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
                /** @description Only in these states. */
                status?: components["schemas"]["StakeStatus"][];
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
            /** @description A page of stakes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The stakes of this page. */
                        stakes: components["schemas"]["Stake"][];
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
                    /** @description The stake to end, or to take a part of. */
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
                    /** @description The stake to pay back. */
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
                        /** @description The business's name. */
                        merchant: string;
                        /** @description What is refunded, in whole tokens. */
                        amount: string;
                        /** @description The symbol of what is refunded. */
                        token: string;
                        chain: components["schemas"]["ChainName"];
                        /** @description Whether the chain knows memos: Stellar. */
                        takesMemo: boolean;
                        /**
                         * Format: date-time
                         * @description Until then an address can be named.
                         */
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
                    /** @description Your customer's address on the chain of the refund. It cannot be changed later. */
                    toAddress: string;
                    /** @description The memo that the receiver needs; Stellar only. */
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
                        /** @description What is refunded, in whole tokens. */
                        amount: string;
                        /** @description The symbol of what is refunded. */
                        token: string;
                        chain: components["schemas"]["ChainName"];
                        /** @description Whether the chain knows memos: Stellar. */
                        takesMemo: boolean;
                        /** @description The address, in the form that the chain shows. */
                        toAddress: string;
                        /** @description The memo; null: not set. */
                        memo: string | null;
                        /** @description Of `memo`; null: not set. */
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
                /** @description Only in these states. */
                status?: components["schemas"]["RefundStatus"][];
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
                        /** @description The refunds of this page. */
                        refunds: components["schemas"]["Refund"][];
                        /** @description What can be refunded yet of each asset that came, on every page of the list; empty while the session is `pending`. */
                        refundable: components["schemas"]["RefundableAsset"][];
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
    listPayoutBatches: {
        parameters: {
            query?: {
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
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The batches of this page. */
                        batches: components["schemas"]["PayoutBatch"][];
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPayoutBatch: {
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
                 *       "reference": "wages-2026-11",
                 *       "payouts": [
                 *         {
                 *           "amount": "100",
                 *           "source": {
                 *             "chain": "base",
                 *             "token": "USDC"
                 *           },
                 *           "destination": {
                 *             "id": "01a1f93f-821b-7439-bb21-110bf7cf8615"
                 *           },
                 *           "reference": "wages-2026-11-ada"
                 *         },
                 *         {
                 *           "amount": "80.5",
                 *           "source": {
                 *             "chain": "base",
                 *             "token": "USDC"
                 *           },
                 *           "destination": {
                 *             "id": "01a1f93f-9a3c-7cc1-8f5b-64e0d1f0c2ab"
                 *           },
                 *           "reference": "wages-2026-11-ben"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewPayoutBatch"];
            };
        };
        responses: {
            201: components["responses"]["PayoutBatch"];
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
    checkPayoutBatch: {
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
                 *       "reference": "wages-2026-11",
                 *       "payouts": [
                 *         {
                 *           "amount": "100",
                 *           "source": {
                 *             "chain": "base",
                 *             "token": "USDC"
                 *           },
                 *           "destination": {
                 *             "id": "01a1f93f-821b-7439-bb21-110bf7cf8615"
                 *           },
                 *           "reference": "wages-2026-11-ada"
                 *         },
                 *         {
                 *           "amount": "80.5",
                 *           "source": {
                 *             "chain": "base",
                 *             "token": "USDC"
                 *           },
                 *           "destination": {
                 *             "id": "01a1f93f-9a3c-7cc1-8f5b-64e0d1f0c2ab"
                 *           },
                 *           "reference": "wages-2026-11-ben"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewPayoutBatch"];
            };
        };
        responses: {
            /** @description It can be created. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchCheck"];
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
    getPayoutBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout batch. */
                id: components["parameters"]["PayoutBatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutBatch"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelPayoutBatch: {
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
                /** @description The payout batch. */
                id: components["parameters"]["PayoutBatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutBatch"];
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
    approvePayoutBatch: {
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
                /** @description The payout batch. */
                id: components["parameters"]["PayoutBatchId"];
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
            200: components["responses"]["PayoutBatch"];
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
    listPayouts: {
        parameters: {
            query?: {
                /** @description Only in these states. */
                status?: components["schemas"]["PayoutStatus"][];
                /** @description Of the source. */
                chain?: components["schemas"]["ChainName"];
                /** @description Of the source. */
                token?: components["schemas"]["TokenSymbol"];
                /** @description Of bank payouts. */
                currency?: components["schemas"]["Currency"];
                /** @description Only to this payout destination. */
                destinationId?: string;
                /** @description Only of this payout batch. */
                batchId?: string;
                /** @description Only of this session. */
                sessionId?: string;
                /** @description Only with exactly this reference. */
                reference?: string;
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
            /** @description A page of payouts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payouts of this page. */
                        payouts: components["schemas"]["Payout"][];
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
                /** @description Only in these states. */
                status?: components["schemas"]["DestinationStatus"][];
                /** @description Of bank accounts. */
                currency?: components["schemas"]["Currency"];
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
            /** @description A page of destinations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The destinations of this page. */
                        destinations: components["schemas"]["PayoutDestination"][];
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
                /** @description Only in these states. */
                status?: components["schemas"]["CollectionStatus"][];
                /** @description Only of this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Only with exactly this reference. */
                reference?: string;
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
            /** @description A page of collections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The collections of this page. */
                        data: components["schemas"]["CollectionItem"][];
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
                        /**
                         * @description It is stored, and will be checked with the partner.
                         * @enum {boolean}
                         */
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
                        /**
                         * @description The process answers.
                         * @enum {string}
                         */
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
                        /** @description What `navigator.credentials.get` takes; null: there is no passkey to ask for. */
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
                        /** @description Passkeys of the account, the oldest first. */
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
                        /** @description If it is the account's first second factor, and null otherwise; shown only here; each works once. */
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
                        /** @description Sign-ins that are not over, the newest first: 100 at most. */
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
                    /** @description True: owners, and developers who change something, need a second factor. */
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
                        /** @description Members, the oldest first. */
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
                        /** @description Invitations that can still be accepted, the newest first. */
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
                /** @description Only in these states. */
                state?: components["schemas"]["KeyState"][];
                /** @description Active keys with a `refundAddressUntil`. */
                namesRefundAddresses?: boolean;
                /** @description Active keys with a `sentFromWalletsAt`. */
                unconfirmed?: boolean;
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
                        /** @description The keys of this page. */
                        keys: components["schemas"]["ApiKey"][];
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
                    /** @description Whether the key may send from stored wallets. */
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
                    /** @description Whether the key may name addresses of refunds. */
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
                        /** @description Keys, the newest first. */
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
                /** @description Only in these states. */
                state?: ("waiting" | "approved" | "refused" | "expired")[];
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
                    /**
                     * @description What you decide.
                     * @enum {string}
                     */
                    decision: "approved" | "refused";
                    /** @description Required to approve a payout, a batch of them or a refund: the `revision` that you have seen. 409 `revision_outdated` if it has changed since. */
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
                    /** @description Amount of the token. */
                    amount?: components["schemas"]["Amount"];
                    /** @description Fiat amount, in the business's currency, to convert. */
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
                        /** @description What happened, the oldest first. */
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
                        /** @description Explorers of the deployment's chains; a chain without a known one is left out. */
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
                    /** @description The settings by chain and token; those that are not named stay. */
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
    getNotifications: {
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
            /** @description The caller's own choice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
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
    setNotifications: {
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
                    kinds: components["schemas"]["NotificationKinds"];
                };
            };
        };
        responses: {
            /** @description The choice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
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
                        /** @description Banks that the partner can pay to now. */
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
                    /** @description Of one payout or refund. */
                    maxPerPayout?: components["schemas"]["DollarLimit"];
                    /** @description Of all payouts and refunds within any 24 hours. */
                    maxPerDay?: components["schemas"]["DollarLimit"];
                    /** @description A payout or refund above it needs a second owner's approval. */
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
                    /** @description The number in the register of companies. */
                    registrationNumber: string;
                    /**
                     * @description Of the registration, as ISO 3166-1 has it.
                     * @example NG
                     */
                    country: string;
                    /** @description The postal address. */
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
                    /** @description The settings by chain and token; those that are not named stay. */
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
                /** @description Only in these states. */
                state?: components["schemas"]["SweepState"][];
                /** @description Only of this chain. */
                chain?: components["schemas"]["ChainName"];
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
                        /** @description The sweeps of this page. */
                        sweeps: components["schemas"]["Sweep"][];
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
                        /** @description What the treasury holds, by chain and token. */
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
                /**
                 * @deprecated
                 * @description The former name of `since`.
                 */
                from?: components["schemas"]["Instant"];
                /**
                 * @deprecated
                 * @description The former name of `until`.
                 */
                to?: components["schemas"]["Instant"];
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
                        /** @description The entries of this page. */
                        entries: components["schemas"]["AuditEntry"][];
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
                /** @description Only jobs of this queue. */
                queue?: components["schemas"]["QueueName"];
                /** @description Created at this time or later; a date counts from its start. */
                since?: components["parameters"]["Since"];
                /** @description Created before this time; a date counts to its end. */
                until?: components["parameters"]["Until"];
                /** @description Use `cursor` beyond 10,000 rows. */
                page?: components["parameters"]["Page"];
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description By creation: `DESC` the newest first, `ASC` the oldest first. */
                sort?: components["parameters"]["OldestFirst"];
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
            /** @description A page of dead jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The dead jobs of this page. */
                        jobs: components["schemas"]["DeadJob"][];
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
    replayDeadJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dead job. */
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
                /** @description Only in these states of approval. */
                approval?: components["schemas"]["Approval"][];
                /** @description Part of the name. */
                q?: string;
                /** @description Others than `opened` have no cursor: follow `page`. `volume`: of 30 days. */
                sortBy?: "opened" | "name" | "lastPayment" | "volume";
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
            /** @description A page of businesses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The businesses of this page. */
                        businesses: components["schemas"]["OperatedBusiness"][];
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
                    /** @description Why. The business sees it. */
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
                        /** @description The transfers of this page. */
                        transfers: components["schemas"]["OperatedTransfer"][];
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
                        /** @description Members, the oldest first. */
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
                    /** @description The platform's fee, in percent of each payout. */
                    feePercent: components["schemas"]["Percent"];
                    /** @description The platform's margin on the exchange rate, in percent. */
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
                    /** @description Addresses that may be monitored at once. */
                    monitoredAddresses?: components["schemas"]["Cap"];
                    /** @description Sessions that may be pending at once. */
                    openSessions?: components["schemas"]["Cap"];
                    /** @description Webhook endpoints at one host. */
                    endpointsPerHost?: components["schemas"]["Cap"];
                    /** @description Deliveries under way to one host; more wait. */
                    deliveriesPerHost?: components["schemas"]["Cap"];
                    /** @description Blocks that may be read again within 24 hours (`fromBlock`). */
                    importBlocksPerDay?: components["schemas"]["Cap"];
                    /** @description Deliveries that may be replayed within 24 hours. */
                    replaysPerDay?: components["schemas"]["Cap"];
                    /** @description Requests to nodes within 24 hours. */
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
                /**
                 * @deprecated
                 * @description The former name of `since`.
                 */
                from?: components["schemas"]["Instant"];
                /**
                 * @deprecated
                 * @description The former name of `until`.
                 */
                to?: components["schemas"]["Instant"];
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
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The entries of this page. */
                        entries: components["schemas"]["AuditEntry"][];
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
                        /** @description Partners of the deployment, and those with payouts that have not ended. */
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
                    /** @description Why. It is shown to operators. */
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
                        /** @description All plans, with stopped ones. */
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
                    /** @description Days until a stake can be unstaked without a penalty. */
                    lockDays: number;
                    /** @description At most 100. */
                    penaltyPercent: components["schemas"]["PlanPercent"];
                    /** @description The smallest stake, in whole units. */
                    minAmount: components["schemas"]["Amount"];
                    /** @description The largest stake, in whole units. */
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
                    /** @description Days until a stake can be unstaked without a penalty. Existing stakes keep theirs. */
                    lockDays?: number;
                    /** @description At most 100. */
                    penaltyPercent?: components["schemas"]["PlanPercent"];
                    /** @description The smallest stake, in whole units. */
                    minAmount?: components["schemas"]["Amount"];
                    /** @description The largest stake, in whole units. */
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
                     * @description US dollars; null: not set.
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
                /** @description Only in these states. */
                status?: components["schemas"]["VerificationStatus"][];
                /** @description Only of this country. */
                country?: string;
                /** @description Only of this kind of document. */
                idType?: string;
                /** @description Only of this request. */
                requestId?: string;
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
                        /** @description The verifications of this page. */
                        verifications: components["schemas"]["ShownVerification"][];
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
    listNewestEvents: {
        parameters: {
            query?: {
                /** @description The `nextBefore` of the page before. */
                before?: number;
                /** @description Most rows of a page. */
                limit?: components["parameters"]["Limit"];
                /** @description An event type, or all of a topic as `session.*`. */
                type?: string;
                /** @description Only with a delivery in this state. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description From this time on. */
                since?: components["schemas"]["Instant"];
                /** @description Before this time. */
                until?: components["schemas"]["Instant"];
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
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The events, newest first. */
                        events: components["schemas"]["LoggedEvent"][];
                        /** @description The `before` of the next page; null on the last. */
                        nextBefore: number | null;
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
                        /** @description Months, the newest first. */
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
                    /** @description The month to close, as `2026-11`. It has to be over. */
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
                /** @description Only in these states. */
                state?: components["schemas"]["AdjustmentState"][];
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
            /** @description A page of adjustments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The adjustments of this page. */
                        adjustments: components["schemas"]["Adjustment"][];
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
                    /** @description The amount, in whole units of the asset. */
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
                    /**
                     * @description What you decide.
                     * @enum {string}
                     */
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
                state?: ("held" | "given" | "returning" | "returned" | "reverted")[];
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
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payments of this page. */
                        payments: components["schemas"]["SuspendedPayment"][];
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
                    /** @description The business that gets it; left out: it is the operator's own. */
                    businessId?: string;
                    /**
                     * @description Without `businessId`: the operator's account that it is booked to.
                     * @enum {string}
                     */
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
                    /** @description The memo that the receiver needs; Stellar only. */
                    memo?: string;
                    /**
                     * @description Of `memo`.
                     * @enum {string}
                     */
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
            /** @description A page of closes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The closes of this page. */
                        closes: components["schemas"]["LedgerClose"][];
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
    | 'getAmountLimits'
    | 'setAmountLimits'
    | 'quoteSession'
    | 'streamSessionQuote'
    | 'listAllNetworks'
    | 'listNetworks'
    | 'listCurrencies'
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
    | 'getWebhookCallbacks'
    | 'setWebhookCallbacks'
    | 'rotateCallbackSecret'
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
    | 'listPayoutBatches'
    | 'createPayoutBatch'
    | 'checkPayoutBatch'
    | 'getPayoutBatch'
    | 'cancelPayoutBatch'
    | 'approvePayoutBatch'
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
    | 'getNotifications'
    | 'setNotifications'
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
    | 'listNewestEvents'
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
    getAmountLimitsOfBusiness: OfBusiness<operations['getAmountLimits']>
    setAmountLimitsOfBusiness: OfBusiness<operations['setAmountLimits']>
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
    getWebhookCallbacksOfBusiness: OfBusiness<operations['getWebhookCallbacks']>
    setWebhookCallbacksOfBusiness: OfBusiness<operations['setWebhookCallbacks']>
    rotateCallbackSecretOfBusiness: OfBusiness<operations['rotateCallbackSecret']>
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
    listPayoutBatchesOfBusiness: OfBusiness<operations['listPayoutBatches']>
    createPayoutBatchOfBusiness: OfBusiness<operations['createPayoutBatch'], never>
    checkPayoutBatchOfBusiness: OfBusiness<operations['checkPayoutBatch']>
    getPayoutBatchOfBusiness: OfBusiness<operations['getPayoutBatch']>
    cancelPayoutBatchOfBusiness: OfBusiness<operations['cancelPayoutBatch']>
    approvePayoutBatchOfBusiness: OfBusiness<operations['approvePayoutBatch']>
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
