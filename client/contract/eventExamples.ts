// Made by `npm run generate` from the contract.

import type { EventsByType } from './events.ts'

/** Complete bodies of each type, at least one. */
export const eventExamples: { [Type in keyof EventsByType]: [EventsByType[Type], ...EventsByType[Type][]] } = {
  "transaction.detected": [
    {
      "type": "transaction.detected",
      "timestamp": "2026-11-21T04:53:42.174Z",
      "version": 1,
      "sequence": 2,
      "data": {
        "id": "40303955-140d-41fa-803e-a6647404e3d8",
        "chain": "ethereum",
        "address": "0x2a0CA86B59Ad11E5A2b31Aa3c6aF31c8BaEE1029",
        "direction": "in",
        "symbol": "USDC",
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "amount": "15.764417",
        "baseUnits": "15764417",
        "decimals": 6,
        "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "to": "0x2a0CA86B59Ad11E5A2b31Aa3c6aF31c8BaEE1029",
        "txId": "0x84952bc8e0e4eb2c6eb9634debad009e53143df2f2f45a80b110352a7743b8b0",
        "movementKey": "log:0",
        "blockHeight": 3,
        "blockTime": "2026-11-21T04:53:42.000Z",
        "requiredConfirmations": 3,
        "exception": "none",
        "sessionId": "01a1fc73-fa46-7025-9a96-2bab7c2cae7f",
        "reference": "order-1002"
      }
    },
    {
      "type": "transaction.detected",
      "timestamp": "2026-11-21T04:53:42.291Z",
      "version": 1,
      "sequence": 8,
      "data": {
        "id": "5225b0b0-225b-4864-ac56-42992a36cd0c",
        "chain": "ethereum",
        "address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "direction": "out",
        "symbol": "USDC",
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "amount": "40",
        "baseUnits": "40000000",
        "decimals": 6,
        "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "txId": "0xfb5ec91f2a872e9a1067f72fd99b26ee43e6185d3da77208441f882416c66347",
        "movementKey": "log:0",
        "blockHeight": 4,
        "blockTime": "2026-11-21T04:53:42.000Z",
        "requiredConfirmations": 3,
        "monitoredAddressId": "01a1fc73-f82f-76c9-9cc8-668096dd3ded",
        "metadata": {
          "wallet": "treasury"
        }
      }
    }
  ],
  "transaction.confirmed": [
    {
      "type": "transaction.confirmed",
      "timestamp": "2026-11-21T04:53:42.174Z",
      "version": 1,
      "sequence": 4,
      "data": {
        "id": "40303955-140d-41fa-803e-a6647404e3d8",
        "chain": "ethereum",
        "address": "0x2a0CA86B59Ad11E5A2b31Aa3c6aF31c8BaEE1029",
        "direction": "in",
        "symbol": "USDC",
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "amount": "15.764417",
        "baseUnits": "15764417",
        "decimals": 6,
        "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "to": "0x2a0CA86B59Ad11E5A2b31Aa3c6aF31c8BaEE1029",
        "txId": "0x84952bc8e0e4eb2c6eb9634debad009e53143df2f2f45a80b110352a7743b8b0",
        "movementKey": "log:0",
        "blockHeight": 3,
        "blockTime": "2026-11-21T04:53:42.000Z",
        "requiredConfirmations": 3,
        "exception": "none",
        "sessionId": "01a1fc73-fa46-7025-9a96-2bab7c2cae7f",
        "reference": "order-1002"
      }
    },
    {
      "type": "transaction.confirmed",
      "timestamp": "2026-11-21T04:53:42.291Z",
      "version": 1,
      "sequence": 11,
      "data": {
        "id": "cab54dd4-46e6-474f-8d1b-6d8902d2f744",
        "chain": "ethereum",
        "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "direction": "in",
        "symbol": "USDC",
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "amount": "40",
        "baseUnits": "40000000",
        "decimals": 6,
        "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "txId": "0xfb5ec91f2a872e9a1067f72fd99b26ee43e6185d3da77208441f882416c66347",
        "movementKey": "log:0",
        "blockHeight": 4,
        "blockTime": "2026-11-21T04:53:42.000Z",
        "requiredConfirmations": 3,
        "monitoredAddressId": "01a1fc73-fa0c-753e-bb3a-18ab674fa43e",
        "metadata": {
          "userId": "u-17",
          "orderId": "A-1042"
        }
      }
    }
  ],
  "transaction.reverted": [
    {
      "type": "transaction.reverted",
      "timestamp": "2026-11-21T04:53:42.703Z",
      "version": 1,
      "sequence": 22,
      "data": {
        "id": "ae6f27ba-3942-46c1-bd4b-9a57448d26c9",
        "chain": "ethereum",
        "address": "0x7E6Eb01ead707cc65EF870bb269d4ba669e8273d",
        "direction": "in",
        "symbol": "USDC",
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "amount": "10",
        "baseUnits": "10000000",
        "decimals": 6,
        "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "to": "0x7E6Eb01ead707cc65EF870bb269d4ba669e8273d",
        "txId": "0x917e5dd01968600e8dff632bae2163aad88e2807dbaa05fb58e899b21070693c",
        "movementKey": "log:0",
        "blockHeight": 9,
        "blockTime": "2026-11-21T04:53:42.000Z",
        "requiredConfirmations": 3,
        "exception": "none",
        "sessionId": "01a1fc73-fd92-7044-b1c0-2fc91f3fbbc1",
        "reference": null
      }
    },
    {
      "type": "transaction.reverted",
      "timestamp": "2026-11-21T04:53:42.890Z",
      "version": 1,
      "sequence": 25,
      "data": {
        "id": "25d2b857-6669-4b10-a6e6-58d7cea35ccd",
        "chain": "ethereum",
        "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "direction": "in",
        "symbol": "USDC",
        "contract": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
        "amount": "25",
        "baseUnits": "25000000",
        "decimals": 6,
        "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "txId": "0x8d439053f168e25995b484d2e80c7d2ffab3a6abe890b185ebb4b75c14f0ee0b",
        "movementKey": "log:1",
        "blockHeight": 9,
        "blockTime": "2026-11-21T04:53:42.000Z",
        "requiredConfirmations": 3,
        "monitoredAddressId": "01a1fc73-fa0c-753e-bb3a-18ab674fa43e",
        "metadata": {
          "userId": "u-17",
          "orderId": "A-1042"
        }
      }
    }
  ],
  "session.created": [
    {
      "type": "session.created",
      "timestamp": "2026-11-20T13:57:31.302Z",
      "version": 1,
      "sequence": 9,
      "data": {
        "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
        "chain": "ethereum",
        "address": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "token": "USDC",
        "amountExpected": "15.764417",
        "amountReceived": "0",
        "status": "pending",
        "exception": "none",
        "expiresAt": "2026-11-20T14:07:31.291Z",
        "label": "Table 4",
        "reference": "order-1002",
        "metadata": {
          "waiter": "Ada"
        },
        "localAmount": "25000",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "250",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22&uint256=15764417",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 0,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [],
        "createdAt": "2026-11-20T13:57:31.291Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.detected": [
    {
      "type": "session.detected",
      "timestamp": "2026-11-20T13:57:31.847Z",
      "version": 1,
      "sequence": 10,
      "data": {
        "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
        "chain": "ethereum",
        "address": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "token": "USDC",
        "amountExpected": "15.764417",
        "amountReceived": "15.764417",
        "status": "pending",
        "exception": "none",
        "expiresAt": "2026-11-20T14:07:31.291Z",
        "label": "Table 4",
        "reference": "order-1002",
        "metadata": {
          "waiter": "Ada"
        },
        "localAmount": "25000",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "250",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22&uint256=15764417",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 1,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0x67f4e5d5264ec1719d2048aea0a03d08fd3fd603409dc4c4aa91c2742887ebdd",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "15.764417",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 68,
            "blockTime": "2026-11-20T13:57:31.000Z",
            "status": "seen",
            "exception": "none",
            "confirmations": 1,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:31.291Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.paid": [
    {
      "type": "session.paid",
      "timestamp": "2026-11-20T13:57:33.847Z",
      "version": 1,
      "sequence": 12,
      "data": {
        "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
        "chain": "ethereum",
        "address": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "token": "USDC",
        "amountExpected": "15.764417",
        "amountReceived": "15.764417",
        "status": "paid",
        "exception": "none",
        "expiresAt": "2026-11-20T14:07:31.291Z",
        "label": "Table 4",
        "reference": "order-1002",
        "metadata": {
          "waiter": "Ada"
        },
        "localAmount": "25000",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "250",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22&uint256=15764417",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 3,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0x67f4e5d5264ec1719d2048aea0a03d08fd3fd603409dc4c4aa91c2742887ebdd",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "15.764417",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 68,
            "blockTime": "2026-11-20T13:57:31.000Z",
            "status": "confirmed",
            "exception": "none",
            "confirmations": 3,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:31.291Z",
        "paidAt": "2026-11-20T13:57:33.840Z",
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.paid_out": [
    {
      "type": "session.paid_out",
      "timestamp": "2026-11-20T13:57:41.209Z",
      "version": 1,
      "sequence": 15,
      "data": {
        "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
        "chain": "ethereum",
        "address": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "token": "USDC",
        "amountExpected": "15.764417",
        "amountReceived": "15.764417",
        "status": "paid_out",
        "exception": "none",
        "expiresAt": "2026-11-20T14:07:31.291Z",
        "label": "Table 4",
        "reference": "order-1002",
        "metadata": {
          "waiter": "Ada"
        },
        "localAmount": "25000",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "250",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22&uint256=15764417",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 3,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0x67f4e5d5264ec1719d2048aea0a03d08fd3fd603409dc4c4aa91c2742887ebdd",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "15.764417",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 68,
            "blockTime": "2026-11-20T13:57:31.000Z",
            "status": "confirmed",
            "exception": "none",
            "confirmations": 3,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:31.291Z",
        "paidAt": "2026-11-20T13:57:33.840Z",
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.underpaid": [
    {
      "type": "session.underpaid",
      "timestamp": "2026-11-20T13:57:45.848Z",
      "version": 1,
      "sequence": 27,
      "data": {
        "id": "01a1f93f-97eb-77e7-88d8-9641caa09399",
        "chain": "ethereum",
        "address": "0xe2a015ABacE34A04D569C3aae347EA246BCEa863",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "9.5",
        "status": "expired",
        "exception": "underpaid",
        "expiresAt": "2026-11-20T13:57:42.875Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xe2a015ABacE34A04D569C3aae347EA246BCEa863&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 9,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0xd30f82f0013da9bd0434218c560eb769fd3ebf876a8f46026cea9978e7e97555",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "9.5",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 74,
            "blockTime": "2026-11-20T13:57:37.000Z",
            "status": "confirmed",
            "exception": "none",
            "confirmations": 9,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:36.875Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.overpaid": [
    {
      "type": "session.overpaid",
      "timestamp": "2026-11-20T13:57:36.847Z",
      "version": 1,
      "sequence": 17,
      "data": {
        "id": "01a1f93f-8c44-76f3-83be-e743b269931e",
        "chain": "ethereum",
        "address": "0xf7d7b897B4F5F3F040A2b4784Ea0b6D2e1b3287A",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "12",
        "status": "paid",
        "exception": "overpaid",
        "expiresAt": "2026-11-20T14:07:33.892Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xf7d7b897B4F5F3F040A2b4784Ea0b6D2e1b3287A&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 3,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0xa8c0f5a2982cd2602f026502e3a4abc41141762754fbe0fc7e7c674b39317063",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "12",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 71,
            "blockTime": "2026-11-20T13:57:34.000Z",
            "status": "confirmed",
            "exception": "none",
            "confirmations": 3,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:33.892Z",
        "paidAt": "2026-11-20T13:57:36.842Z",
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.late": [
    {
      "type": "session.late",
      "timestamp": "2026-11-20T13:57:42.848Z",
      "version": 1,
      "sequence": 25,
      "data": {
        "id": "01a1f93f-9c3e-7655-8b15-7e61c5231d37",
        "chain": "ethereum",
        "address": "0xDd4420819DbD24f828Bd263a3050b421ADc7DE6E",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "10",
        "status": "expired",
        "exception": "late",
        "expiresAt": "2026-11-20T13:57:38.982Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0xDd4420819DbD24f828Bd263a3050b421ADc7DE6E&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 0,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0x4e360279fa565648fbe446f7a8be0d10f60b23f06d1c9762da9e9782dee21335",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "10",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 77,
            "blockTime": "2026-11-20T13:57:40.000Z",
            "status": "confirmed",
            "exception": "late",
            "confirmations": 3,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:37.982Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": [],
        "payment": {
          "txId": "0x4e360279fa565648fbe446f7a8be0d10f60b23f06d1c9762da9e9782dee21335",
          "chain": "ethereum",
          "token": "USDC",
          "amount": "10",
          "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
          "blockHeight": 77,
          "blockTime": "2026-11-20T13:57:40.000Z",
          "status": "confirmed",
          "exception": "late",
          "confirmations": 3,
          "requiredConfirmations": 3
        }
      }
    }
  ],
  "session.expired": [
    {
      "type": "session.expired",
      "timestamp": "2026-11-20T13:57:49.849Z",
      "version": 1,
      "sequence": 28,
      "data": {
        "id": "01a1f93f-bb60-7348-bbb4-9d48dd3e9c13",
        "chain": "ethereum",
        "address": "0x62d0B79B235ef06b3DB11DEDaCd500D8b5203e38",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "0",
        "status": "expired",
        "exception": "none",
        "expiresAt": "2026-11-20T13:57:46.952Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:31.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0x62d0B79B235ef06b3DB11DEDaCd500D8b5203e38&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 0,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [],
        "createdAt": "2026-11-20T13:57:45.952Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.cancelled": [
    {
      "type": "session.cancelled",
      "timestamp": "2026-11-20T13:57:49.907Z",
      "version": 1,
      "sequence": 29,
      "data": {
        "id": "01a1f93f-cac2-76b7-aec2-cba22813d2fa",
        "chain": "ethereum",
        "address": "0x3052304B3777215E1F84cAEAa266f1d4BD11DA35",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "0",
        "status": "cancelled",
        "exception": "none",
        "expiresAt": "2026-11-20T14:07:49.890Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:46.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0x3052304B3777215E1F84cAEAa266f1d4BD11DA35&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 0,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [],
        "createdAt": "2026-11-20T13:57:49.890Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.reversed": [
    {
      "type": "session.reversed",
      "timestamp": "2026-11-20T13:57:58.013Z",
      "version": 1,
      "sequence": 44,
      "data": {
        "id": "01a1f93f-def2-7049-92ae-c1b19dbb5ecf",
        "chain": "ethereum",
        "address": "0x7b85a5bB982fF4e90C844653d28ba76530d84aDF",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "0",
        "status": "pending",
        "exception": "none",
        "expiresAt": "2026-11-20T14:07:55.058Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:46.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0x7b85a5bB982fF4e90C844653d28ba76530d84aDF&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 0,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0xeb8cb819741c2bdaff67c7eed3d2c10593809985b6ae58ee96d789f1907f2e0c",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "10",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 92,
            "blockTime": "2026-11-20T13:57:55.000Z",
            "status": "reverted",
            "exception": "none",
            "confirmations": 0,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:55.058Z",
        "paidAt": null,
        "resolution": null,
        "amountRefunded": "0",
        "refunds": []
      }
    }
  ],
  "session.refunded": [
    {
      "type": "session.refunded",
      "timestamp": "2026-11-20T14:12:03.480Z",
      "version": 1,
      "sequence": 45,
      "data": {
        "id": "01a1f93f-def2-7049-92ae-c1b19dbb5ecf",
        "chain": "ethereum",
        "address": "0x7b85a5bB982fF4e90C844653d28ba76530d84aDF",
        "token": "USDC",
        "amountExpected": "10",
        "amountReceived": "12.5",
        "status": "paid",
        "exception": "overpaid",
        "expiresAt": "2026-11-20T14:07:55.058Z",
        "label": null,
        "reference": null,
        "metadata": null,
        "localAmount": "15858.5",
        "localCurrency": "NGN",
        "rate": "1610",
        "rateAt": "2026-11-20T13:57:46.274Z",
        "rateSource": "yellowcard",
        "fee": "158.59",
        "feeCurrency": "NGN",
        "fxMargin": "1.5",
        "paymentUri": "ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@31337/transfer?address=0x7b85a5bB982fF4e90C844653d28ba76530d84aDF&uint256=10000000",
        "checkoutUrl": "https://pay.example.com/checkout/AaH5P4IbdDm7IREL989hFdBDPZ4Oq3mTzLXVcLM",
        "confirmations": 640,
        "requiredConfirmations": 3,
        "finality": "confirmations",
        "payments": [
          {
            "txId": "0xeb8cb819741c2bdaff67c7eed3d2c10593809985b6ae58ee96d789f1907f2e0c",
            "chain": "ethereum",
            "token": "USDC",
            "amount": "12.5",
            "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "blockHeight": 92,
            "blockTime": "2026-11-20T13:57:55.000Z",
            "status": "confirmed",
            "exception": "none",
            "confirmations": 640,
            "requiredConfirmations": 3
          }
        ],
        "createdAt": "2026-11-20T13:57:55.058Z",
        "paidAt": "2026-11-20T13:57:59.840Z",
        "resolution": null,
        "amountRefunded": "2.5",
        "refunds": [
          {
            "id": "01a1f947-2c51-7340-8a0e-5d2f1b6a9c33",
            "kind": "excess",
            "status": "completed",
            "amount": "2.5",
            "token": "USDC",
            "chain": "ethereum",
            "txHash": "0x1f6d4b0f5c8b7b0f6f3b6a8f8f0e6c0d7a9b1c2d3e4f5061728394a5b6c7d8e9",
            "createdAt": "2026-11-20T14:11:20.114Z",
            "completedAt": "2026-11-20T14:12:03.391Z"
          }
        ],
        "refund": {
          "id": "01a1f947-2c51-7340-8a0e-5d2f1b6a9c33",
          "kind": "excess",
          "status": "completed",
          "amount": "2.5",
          "token": "USDC",
          "chain": "ethereum",
          "txHash": "0x1f6d4b0f5c8b7b0f6f3b6a8f8f0e6c0d7a9b1c2d3e4f5061728394a5b6c7d8e9",
          "createdAt": "2026-11-20T14:11:20.114Z",
          "completedAt": "2026-11-20T14:12:03.391Z"
        }
      }
    }
  ],
  "transfer.confirmed": [
    {
      "type": "transfer.confirmed",
      "timestamp": "2026-11-20T23:21:11.187Z",
      "version": 1,
      "sequence": 1,
      "data": {
        "id": "01a1fb43-8319-7507-be96-5d17af33f1dc",
        "chain": "ethereum",
        "token": "usdc",
        "symbol": "USDC",
        "amount": "12.5",
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "walletId": null,
        "txHash": "0x88c13625e6f0a529a0335ca1abef7082ba6b09d0cb3693908db99ca28cfc6189",
        "status": "confirmed",
        "reason": null,
        "message": null,
        "amountReceived": "12.5",
        "tokenFee": "0",
        "gasUsed": "51717",
        "fee": "0.000009391035013473",
        "feeCurrency": "ETH",
        "blockHeight": 14,
        "createdAt": "2026-11-20T23:21:08.120Z",
        "updatedAt": "2026-11-20T23:21:11.184Z"
      }
    }
  ],
  "transfer.failed": [
    {
      "type": "transfer.failed",
      "timestamp": "2026-11-20T23:21:53.521Z",
      "version": 1,
      "sequence": 3,
      "data": {
        "id": "01a1fb44-207c-77ef-b725-877c6457415f",
        "chain": "ethereum",
        "token": "usdc",
        "symbol": "USDC",
        "amount": "10",
        "fromAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "toAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "walletId": "01a1fb43-83c4-7602-8cd2-36cbe4b7602d",
        "txHash": "0xc8a56e3ab4cf35c457cf9f980dbaa9210265e475c1d3753ee342359dc6eed1fb",
        "status": "failed",
        "reason": "reverted",
        "message": "ERC20: transfer amount exceeds balance",
        "gasUsed": "24412",
        "fee": "0.000000042897523172",
        "feeCurrency": "ETH",
        "blockHeight": 55,
        "createdAt": "2026-11-20T23:21:48.405Z",
        "updatedAt": "2026-11-20T23:21:53.517Z"
      }
    }
  ],
  "transfer.expired": [
    {
      "type": "transfer.expired",
      "timestamp": "2026-11-20T23:22:30.859Z",
      "version": 1,
      "sequence": 5,
      "data": {
        "id": "01a1fb44-ba5d-75a4-9403-d50ae1c2a551",
        "chain": "ethereum",
        "token": "native",
        "symbol": "ETH",
        "amount": "0.5",
        "fromAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "toAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "walletId": null,
        "txHash": "0x0c198a86198d32e5eebd9f0c8c905b06305344df6cefcb91260127c297b699a0",
        "status": "failed",
        "reason": "sequence_used",
        "message": null,
        "fee": null,
        "feeCurrency": "ETH",
        "blockHeight": null,
        "createdAt": "2026-11-20T23:22:27.828Z",
        "updatedAt": "2026-11-20T23:22:30.858Z"
      }
    }
  ],
  "swap.confirmed": [
    {
      "type": "swap.confirmed",
      "timestamp": "2026-11-27T10:02:15.187Z",
      "version": 1,
      "sequence": 51,
      "data": {
        "id": "01a21c80-1d5f-7a31-8f0e-6f2b9c1d4e70",
        "status": "confirmed",
        "success": true,
        "txHash": "0x9a3c41be7d05f2861ec4b9d0f7a8235c6e1d40b9872fa5ce03b16d48e7f92a10",
        "approvalTxHash": "0x5d2f8a1c9be0470f3ed6a1f0c8b7425ad90e31768c5b4f21d80fa9e37b6c1402",
        "steps": [
          {
            "type": "approve",
            "status": "confirmed",
            "txHash": "0x5d2f8a1c9be0470f3ed6a1f0c8b7425ad90e31768c5b4f21d80fa9e37b6c1402"
          },
          {
            "type": "swap",
            "status": "confirmed",
            "txHash": "0x9a3c41be7d05f2861ec4b9d0f7a8235c6e1d40b9872fa5ce03b16d48e7f92a10"
          }
        ],
        "provider": "0x",
        "chain": "base",
        "sellToken": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "sellSymbol": "USDC",
        "sellAmount": "1500",
        "buyToken": "native",
        "buySymbol": "ETH",
        "buyAmount": "0.5",
        "minBuyAmount": "0.4975",
        "slippageBps": 50,
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "toAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "allowanceLeft": null,
        "gasUsed": "334120",
        "fee": "0.000003341200668240",
        "feeCurrency": "ETH",
        "rent": null,
        "blockHeight": 22841937,
        "reason": null,
        "message": null,
        "createdAt": "2026-11-27T10:02:11.120Z",
        "updatedAt": "2026-11-27T10:02:15.184Z"
      }
    }
  ],
  "swap.failed": [
    {
      "type": "swap.failed",
      "timestamp": "2026-11-27T10:04:05.914Z",
      "version": 1,
      "sequence": 52,
      "data": {
        "id": "01a21c81-cc8a-7d02-b1e6-0c9d5a7f3b24",
        "status": "failed",
        "success": true,
        "txHash": "0x41d7e0c25b9a8f3604ed1c7b52fa90863de4b7195c0a2f8e6d31b470c9e5f82a",
        "approvalTxHash": "0x5d2f8a1c9be0470f3ed6a1f0c8b7425ad90e31768c5b4f21d80fa9e37b6c1402",
        "steps": [
          {
            "type": "approve",
            "status": "confirmed",
            "txHash": "0x5d2f8a1c9be0470f3ed6a1f0c8b7425ad90e31768c5b4f21d80fa9e37b6c1402"
          },
          {
            "type": "swap",
            "status": "failed",
            "txHash": "0x41d7e0c25b9a8f3604ed1c7b52fa90863de4b7195c0a2f8e6d31b470c9e5f82a"
          }
        ],
        "provider": "0x",
        "chain": "base",
        "sellToken": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "sellSymbol": "USDC",
        "sellAmount": "1500",
        "buyToken": "native",
        "buySymbol": "ETH",
        "buyAmount": "0.5",
        "minBuyAmount": "0.4975",
        "slippageBps": 50,
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "toAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "allowanceLeft": "1500",
        "gasUsed": "201884",
        "fee": "0.000002018840403768",
        "feeCurrency": "ETH",
        "rent": null,
        "blockHeight": 22841990,
        "reason": "reverted",
        "message": "execution reverted: TooMuchSlippage",
        "createdAt": "2026-11-27T10:04:01.530Z",
        "updatedAt": "2026-11-27T10:04:05.911Z"
      }
    }
  ],
  "swap.expired": [
    {
      "type": "swap.expired",
      "timestamp": "2026-11-27T10:07:28.380Z",
      "version": 1,
      "sequence": 53,
      "data": {
        "id": "01a21c83-e9f4-7b16-92c3-a4e8d0571f68",
        "status": "expired",
        "success": true,
        "txHash": "0x7be3f1094ad2c8560fd9b7e14c3a82650e9df47b1c6835a0e2d794fb18c60a35",
        "approvalTxHash": null,
        "steps": [
          {
            "type": "swap",
            "status": "expired",
            "txHash": "0x7be3f1094ad2c8560fd9b7e14c3a82650e9df47b1c6835a0e2d794fb18c60a35"
          }
        ],
        "provider": "0x",
        "chain": "base",
        "sellToken": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "sellSymbol": "USDC",
        "sellAmount": "1500",
        "buyToken": "native",
        "buySymbol": "ETH",
        "buyAmount": "0.5",
        "minBuyAmount": "0.4975",
        "slippageBps": 50,
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "toAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "allowanceLeft": null,
        "gasUsed": null,
        "fee": null,
        "feeCurrency": "ETH",
        "rent": null,
        "blockHeight": null,
        "reason": "sequence_used",
        "message": null,
        "createdAt": "2026-11-27T10:06:20.004Z",
        "updatedAt": "2026-11-27T10:07:28.377Z"
      }
    }
  ],
  "bridge.in_progress": [
    {
      "type": "bridge.in_progress",
      "timestamp": "2026-11-20T23:21:41.187Z",
      "version": 1,
      "sequence": 4,
      "data": {
        "id": "01a1fb43-8319-7507-be96-5d17af33f1dc",
        "sourceChain": "base",
        "destinationChain": "polygon",
        "status": "in_progress",
        "amount": "250",
        "sourceAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "destinationAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "sourceTxHash": "0x88c13625e6f0a529a0335ca1abef7082ba6b09d0cb3693908db99ca28cfc6189",
        "destinationTxHash": null,
        "errorMessage": null,
        "speed": "fast",
        "executedSpeed": null,
        "automatic": false,
        "maxFee": "0.039",
        "fee": null,
        "amountReceived": null,
        "delay": null,
        "createdAt": "2026-11-20T23:21:08.120Z",
        "updatedAt": "2026-11-20T23:21:41.184Z"
      }
    }
  ],
  "bridge.completed": [
    {
      "type": "bridge.completed",
      "timestamp": "2026-11-20T23:21:41.187Z",
      "version": 1,
      "sequence": 5,
      "data": {
        "id": "01a1fb43-8319-7507-be96-5d17af33f1dc",
        "sourceChain": "base",
        "destinationChain": "polygon",
        "status": "completed",
        "amount": "250",
        "sourceAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "destinationAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "sourceTxHash": "0x88c13625e6f0a529a0335ca1abef7082ba6b09d0cb3693908db99ca28cfc6189",
        "destinationTxHash": "0x1f6d4b0f5c8b7b0f6f3b6a8f8f0e6c0d7a9b1c2d3e4f5061728394a5b6c7d8e9",
        "errorMessage": null,
        "speed": "fast",
        "executedSpeed": "fast",
        "automatic": false,
        "maxFee": "0.039",
        "fee": "0.0325",
        "amountReceived": "249.9675",
        "delay": null,
        "createdAt": "2026-11-20T23:21:08.120Z",
        "updatedAt": "2026-11-20T23:21:41.184Z"
      }
    }
  ],
  "bridge.failed": [
    {
      "type": "bridge.failed",
      "timestamp": "2026-11-20T23:21:41.187Z",
      "version": 1,
      "sequence": 6,
      "data": {
        "id": "01a1fb43-8319-7507-be96-5d17af33f1dc",
        "sourceChain": "base",
        "destinationChain": "polygon",
        "status": "failed",
        "amount": "250",
        "sourceAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "destinationAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "sourceTxHash": null,
        "destinationTxHash": null,
        "errorMessage": "The sender lacks 50 USDC: 250 is needed, 200 is there",
        "speed": "fast",
        "executedSpeed": null,
        "automatic": false,
        "maxFee": "0.039",
        "fee": null,
        "amountReceived": null,
        "delay": null,
        "createdAt": "2026-11-20T23:21:08.120Z",
        "updatedAt": "2026-11-20T23:21:41.184Z"
      }
    }
  ],
  "stake.active": [
    {
      "type": "stake.active",
      "timestamp": "2026-11-27T10:02:15.187Z",
      "version": 1,
      "sequence": 60,
      "data": {
        "id": "01a21c80-1d5f-7a31-8f0e-6f2b9c1d4e71",
        "planId": "01a21c80-0d5f-7a31-8f0e-6f2b9c1d4e01",
        "type": "pooled",
        "chain": "ethereum",
        "token": "USDC",
        "amount": "1000",
        "status": "active",
        "rewards": "0.00174",
        "rewardsPending": false,
        "penalty": null,
        "netAmount": null,
        "lockedUntil": "2026-11-27T09:00:00.000Z",
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "validator": null,
        "rent": null,
        "chainState": null,
        "withdrawableAt": null,
        "txHash": "0x9a3c41be7d05f2861ec4b9d0f7a8235c6e1d40b9872fa5ce03b16d48e7f92a10",
        "transactionStatus": "confirmed",
        "withdrawalTxHashes": [],
        "reason": null,
        "createdAt": "2026-10-28T09:00:00.000Z",
        "confirmedAt": "2026-10-28T10:02:15.000Z",
        "unstakedAt": null,
        "withdrawnAt": null
      }
    }
  ],
  "stake.unstaking": [
    {
      "type": "stake.unstaking",
      "timestamp": "2026-11-27T10:02:15.187Z",
      "version": 1,
      "sequence": 61,
      "data": {
        "id": "01a21c80-1d5f-7a31-8f0e-6f2b9c1d4e71",
        "planId": "01a21c80-0d5f-7a31-8f0e-6f2b9c1d4e01",
        "type": "pooled",
        "chain": "ethereum",
        "token": "USDC",
        "amount": "1000",
        "status": "unstaking",
        "rewards": "4.520547",
        "rewardsPending": false,
        "penalty": "0",
        "netAmount": "1000",
        "lockedUntil": "2026-11-27T09:00:00.000Z",
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "validator": null,
        "rent": null,
        "chainState": null,
        "withdrawableAt": "2026-11-27T10:02:15.000Z",
        "txHash": "0x9a3c41be7d05f2861ec4b9d0f7a8235c6e1d40b9872fa5ce03b16d48e7f92a10",
        "transactionStatus": "confirmed",
        "withdrawalTxHashes": [],
        "reason": null,
        "createdAt": "2026-10-28T09:00:00.000Z",
        "confirmedAt": "2026-10-28T10:02:15.000Z",
        "unstakedAt": "2026-11-27T10:02:15.000Z",
        "withdrawnAt": null
      }
    }
  ],
  "stake.withdrawn": [
    {
      "type": "stake.withdrawn",
      "timestamp": "2026-11-27T10:02:15.187Z",
      "version": 1,
      "sequence": 62,
      "data": {
        "id": "01a21c80-1d5f-7a31-8f0e-6f2b9c1d4e71",
        "planId": "01a21c80-0d5f-7a31-8f0e-6f2b9c1d4e01",
        "type": "pooled",
        "chain": "ethereum",
        "token": "USDC",
        "amount": "1000",
        "status": "withdrawn",
        "rewards": "4.520547",
        "rewardsPending": false,
        "penalty": "0",
        "netAmount": "1000",
        "lockedUntil": "2026-11-27T09:00:00.000Z",
        "fromAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "validator": null,
        "rent": null,
        "chainState": null,
        "withdrawableAt": "2026-11-27T10:02:15.000Z",
        "txHash": "0x9a3c41be7d05f2861ec4b9d0f7a8235c6e1d40b9872fa5ce03b16d48e7f92a10",
        "transactionStatus": "confirmed",
        "withdrawalTxHashes": [
          "0x4be1d7703c5a92f68e0d13b7a6c2f95408d1e6b3a7f0c29584d6e1b03f7a2c98"
        ],
        "reason": null,
        "createdAt": "2026-10-28T09:00:00.000Z",
        "confirmedAt": "2026-10-28T10:02:15.000Z",
        "unstakedAt": "2026-11-27T10:02:15.000Z",
        "withdrawnAt": "2026-11-27T10:05:23.418Z"
      }
    }
  ],
  "payout.created": [
    {
      "type": "payout.created",
      "timestamp": "2026-11-21T09:12:04.118Z",
      "version": 1,
      "sequence": 41,
      "data": {
        "id": "01a1fbc2-1f0e-7b52-9a7c-3b1c0f2f6a11",
        "status": "pending",
        "revision": 1,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1fbb4-9d3c-7a10-8f21-5c0de1a8e0c1",
          "kind": "wallet",
          "name": "Supplier",
          "networkId": null,
          "bankName": null,
          "country": null,
          "currency": null,
          "accountNumber": null,
          "accountName": null,
          "chain": "base",
          "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          "memo": null,
          "memoType": null
        },
        "fee": "1",
        "feeCurrency": "USDC",
        "rate": null,
        "receiveAmount": "99",
        "receiveCurrency": "USDC",
        "pricedAt": null,
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": null,
        "partnerPaymentStatus": null,
        "paidElsewhere": null,
        "reason": null,
        "reference": "supplier-77",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T09:12:04.118Z",
        "completedAt": null
      }
    }
  ],
  "payout.sent": [
    {
      "type": "payout.sent",
      "timestamp": "2026-11-21T09:12:04.902Z",
      "version": 1,
      "sequence": 42,
      "data": {
        "id": "01a1fbc2-1f0e-7b52-9a7c-3b1c0f2f6a11",
        "status": "processing",
        "revision": 2,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1fbb4-9d3c-7a10-8f21-5c0de1a8e0c1",
          "kind": "wallet",
          "name": "Supplier",
          "networkId": null,
          "bankName": null,
          "country": null,
          "currency": null,
          "accountNumber": null,
          "accountName": null,
          "chain": "base",
          "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          "memo": null,
          "memoType": null
        },
        "fee": "1",
        "feeCurrency": "USDC",
        "rate": null,
        "receiveAmount": "99",
        "receiveCurrency": "USDC",
        "pricedAt": null,
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": null,
        "partnerPaymentStatus": null,
        "paidElsewhere": null,
        "reason": null,
        "reference": "supplier-77",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T09:12:04.902Z",
        "completedAt": null
      }
    }
  ],
  "payout.completed": [
    {
      "type": "payout.completed",
      "timestamp": "2026-11-21T09:12:31.450Z",
      "version": 1,
      "sequence": 43,
      "data": {
        "id": "01a1fbc2-1f0e-7b52-9a7c-3b1c0f2f6a11",
        "status": "completed",
        "revision": 3,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1fbb4-9d3c-7a10-8f21-5c0de1a8e0c1",
          "kind": "wallet",
          "name": "Supplier",
          "networkId": null,
          "bankName": null,
          "country": null,
          "currency": null,
          "accountNumber": null,
          "accountName": null,
          "chain": "base",
          "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          "memo": null,
          "memoType": null
        },
        "fee": "1",
        "feeCurrency": "USDC",
        "rate": null,
        "receiveAmount": "99",
        "receiveCurrency": "USDC",
        "pricedAt": null,
        "amountReceived": "99",
        "tokenFee": "0",
        "networkCost": {
          "amount": "0.000000061217",
          "token": "ETH"
        },
        "sessionId": null,
        "automatic": false,
        "txHash": "0x88c13625e6f0a529a0335ca1abef7082ba6b09d0cb3693908db99ca28cfc6189",
        "partnerPaymentId": null,
        "partnerPaymentStatus": null,
        "paidElsewhere": null,
        "reason": null,
        "reference": "supplier-77",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T09:12:31.450Z",
        "completedAt": "2026-11-21T09:12:31.448Z"
      }
    }
  ],
  "payout.returned": [
    {
      "type": "payout.returned",
      "timestamp": "2026-11-23T14:02:41.118Z",
      "version": 1,
      "sequence": 53,
      "data": {
        "id": "01a1fbc3-f0a2-7a6c-bd55-2e8f40b6a9c3",
        "status": "returned",
        "revision": 5,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
          "kind": "bank",
          "name": "Rent account",
          "networkId": "5f1af11b-305f-4420-8fce-65ed2725a409",
          "bankName": "Guaranty Trust Bank",
          "country": "NG",
          "currency": "NGN",
          "accountNumber": "****6789",
          "accountName": null,
          "chain": null,
          "address": null,
          "memo": null,
          "memoType": null
        },
        "fee": "1470",
        "feeCurrency": "NGN",
        "rate": "1500",
        "receiveAmount": "145530",
        "receiveCurrency": "NGN",
        "pricedAt": "2026-11-21T09:57:12.344Z",
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": "7d3e1b52-2a0c-4f0e-8c1b-5b8f8a6f2d10",
        "partnerPaymentStatus": "failed",
        "paidElsewhere": null,
        "reason": "bank_returned",
        "reference": "rent-2026-10",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:57:12.344Z",
        "updatedAt": "2026-11-23T14:02:41.118Z",
        "completedAt": "2026-11-21T09:59:20.455Z"
      }
    }
  ],
  "payout.failed": [
    {
      "type": "payout.failed",
      "timestamp": "2026-11-21T10:02:17.031Z",
      "version": 1,
      "sequence": 52,
      "data": {
        "id": "01a1fbc4-77d0-7e31-a3c4-90b7d1f0c2ab",
        "status": "failed",
        "revision": 4,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
          "kind": "bank",
          "name": "Rent account",
          "networkId": "5f1af11b-305f-4420-8fce-65ed2725a409",
          "bankName": "Guaranty Trust Bank",
          "country": "NG",
          "currency": "NGN",
          "accountNumber": "****6789",
          "accountName": null,
          "chain": null,
          "address": null,
          "memo": null,
          "memoType": null
        },
        "fee": "1470",
        "feeCurrency": "NGN",
        "rate": "1500",
        "receiveAmount": "145530",
        "receiveCurrency": "NGN",
        "pricedAt": "2026-11-21T10:01:40.770Z",
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": "8d1a35d2-6f49-4cf0-b0c8-1f6f2f1f1f57",
        "partnerPaymentStatus": "FAILED",
        "paidElsewhere": null,
        "reason": "partner_failed",
        "reference": "rent-2026-11",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T10:01:40.770Z",
        "updatedAt": "2026-11-21T10:02:17.031Z",
        "completedAt": null
      }
    }
  ],
  "payout.cancelled": [
    {
      "type": "payout.cancelled",
      "timestamp": "2026-11-21T09:40:11.213Z",
      "version": 1,
      "sequence": 46,
      "data": {
        "id": "01a1fbc3-2b64-7d08-8a11-7c2a9be4d0f5",
        "status": "cancelled",
        "revision": 2,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1fbb4-9d3c-7a10-8f21-5c0de1a8e0c1",
          "kind": "wallet",
          "name": "Supplier",
          "networkId": null,
          "bankName": null,
          "country": null,
          "currency": null,
          "accountNumber": null,
          "accountName": null,
          "chain": "base",
          "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          "memo": null,
          "memoType": null
        },
        "fee": "1",
        "feeCurrency": "USDC",
        "rate": null,
        "receiveAmount": "99",
        "receiveCurrency": "USDC",
        "pricedAt": null,
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": null,
        "partnerPaymentStatus": null,
        "paidElsewhere": null,
        "reason": null,
        "reference": "supplier-78",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:39:58.002Z",
        "updatedAt": "2026-11-21T09:40:11.213Z",
        "completedAt": null
      }
    }
  ],
  "payout.unknown": [
    {
      "type": "payout.unknown",
      "timestamp": "2026-11-21T09:58:03.690Z",
      "version": 1,
      "sequence": 49,
      "data": {
        "id": "01a1fbc3-f0a2-7a6c-bd55-2e8f40b6a9c3",
        "status": "unknown",
        "revision": 3,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
          "kind": "bank",
          "name": "Rent account",
          "networkId": "5f1af11b-305f-4420-8fce-65ed2725a409",
          "bankName": "Guaranty Trust Bank",
          "country": "NG",
          "currency": "NGN",
          "accountNumber": "****6789",
          "accountName": null,
          "chain": null,
          "address": null,
          "memo": null,
          "memoType": null
        },
        "fee": "1470",
        "feeCurrency": "NGN",
        "rate": "1500",
        "receiveAmount": "145530",
        "receiveCurrency": "NGN",
        "pricedAt": "2026-11-21T09:57:12.344Z",
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": null,
        "partnerPaymentStatus": null,
        "paidElsewhere": null,
        "reason": null,
        "reference": "rent-2026-10",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:57:12.344Z",
        "updatedAt": "2026-11-21T09:58:03.690Z",
        "completedAt": null
      }
    }
  ],
  "payout.price_changed": [
    {
      "type": "payout.price_changed",
      "timestamp": "2026-11-22T09:57:13.102Z",
      "version": 1,
      "sequence": 50,
      "data": {
        "id": "01a1fbc3-f1b7-7c02-8a64-5d90c1e27b18",
        "status": "pending",
        "revision": 2,
        "amount": "100",
        "source": {
          "chain": "base",
          "token": "USDC"
        },
        "destination": {
          "id": "01a1f93f-821b-7439-bb21-110bf7cf8615",
          "kind": "bank",
          "name": "Rent account",
          "networkId": "5f1af11b-305f-4420-8fce-65ed2725a409",
          "bankName": "Guaranty Trust Bank",
          "country": "NG",
          "currency": "NGN",
          "accountNumber": "****6789",
          "accountName": null,
          "chain": null,
          "address": null,
          "memo": null,
          "memoType": null
        },
        "fee": "1440.6",
        "feeCurrency": "NGN",
        "rate": "1470",
        "receiveAmount": "142619",
        "receiveCurrency": "NGN",
        "pricedAt": "2026-11-22T09:57:13.102Z",
        "networkCost": null,
        "sessionId": null,
        "automatic": false,
        "txHash": null,
        "partnerPaymentId": null,
        "partnerPaymentStatus": null,
        "paidElsewhere": null,
        "reason": "price_changed",
        "reference": "rent-2026-10",
        "metadata": null,
        "approval": null,
        "createdAt": "2026-11-21T09:57:12.344Z",
        "updatedAt": "2026-11-22T09:57:13.102Z",
        "completedAt": null
      }
    }
  ],
  "refund.created": [
    {
      "type": "refund.created",
      "timestamp": "2026-11-21T09:12:04.118Z",
      "version": 1,
      "sequence": 61,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "awaiting_claim",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": null,
        "memo": null,
        "memoType": null,
        "claim": {
          "status": "waiting",
          "expiresAt": "2026-11-28T09:12:04.118Z"
        },
        "networkCost": null,
        "txHash": null,
        "reason": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T09:12:04.118Z",
        "completedAt": null
      }
    }
  ],
  "refund.claimed": [
    {
      "type": "refund.claimed",
      "timestamp": "2026-11-21T10:03:40.201Z",
      "version": 1,
      "sequence": 62,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "pending",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "memo": null,
        "memoType": null,
        "claim": {
          "status": "claimed",
          "expiresAt": "2026-11-28T09:12:04.118Z"
        },
        "networkCost": null,
        "txHash": null,
        "reason": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T10:03:40.201Z",
        "completedAt": null
      }
    }
  ],
  "refund.sent": [
    {
      "type": "refund.sent",
      "timestamp": "2026-11-21T10:03:40.977Z",
      "version": 1,
      "sequence": 63,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "processing",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "memo": null,
        "memoType": null,
        "claim": {
          "status": "claimed",
          "expiresAt": "2026-11-28T09:12:04.118Z"
        },
        "networkCost": null,
        "txHash": null,
        "reason": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T10:03:40.977Z",
        "completedAt": null
      }
    }
  ],
  "refund.completed": [
    {
      "type": "refund.completed",
      "timestamp": "2026-11-21T10:04:02.415Z",
      "version": 1,
      "sequence": 64,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "completed",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "memo": null,
        "memoType": null,
        "claim": {
          "status": "claimed",
          "expiresAt": "2026-11-28T09:12:04.118Z"
        },
        "amountReceived": "2.5",
        "tokenFee": "0",
        "networkCost": {
          "amount": "0.0000021",
          "token": "ETH"
        },
        "txHash": "0x0c198a86198d32e5eebd9f0c8c905b06305344df6cefcb91260127c297b699a0",
        "reason": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T10:04:02.415Z",
        "completedAt": "2026-11-21T10:04:02.415Z"
      }
    }
  ],
  "refund.failed": [
    {
      "type": "refund.failed",
      "timestamp": "2026-11-21T10:03:41.300Z",
      "version": 1,
      "sequence": 65,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "failed",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "memo": null,
        "memoType": null,
        "claim": null,
        "networkCost": null,
        "txHash": null,
        "reason": "simulation_failed",
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T10:03:41.300Z",
        "completedAt": null
      }
    }
  ],
  "refund.cancelled": [
    {
      "type": "refund.cancelled",
      "timestamp": "2026-11-21T12:40:11.032Z",
      "version": 1,
      "sequence": 66,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "cancelled",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": null,
        "memo": null,
        "memoType": null,
        "claim": {
          "status": "cancelled",
          "expiresAt": "2026-11-28T09:12:04.118Z"
        },
        "networkCost": null,
        "txHash": null,
        "reason": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T12:40:11.032Z",
        "completedAt": null
      }
    }
  ],
  "refund.expired": [
    {
      "type": "refund.expired",
      "timestamp": "2026-11-28T09:12:06.540Z",
      "version": 1,
      "sequence": 67,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "cancelled",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": null,
        "memo": null,
        "memoType": null,
        "claim": {
          "status": "expired",
          "expiresAt": "2026-11-28T09:12:04.118Z"
        },
        "networkCost": null,
        "txHash": null,
        "reason": "claim_expired",
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-28T09:12:06.540Z",
        "completedAt": null
      }
    }
  ],
  "refund.unknown": [
    {
      "type": "refund.unknown",
      "timestamp": "2026-11-21T10:13:41.300Z",
      "version": 1,
      "sequence": 68,
      "data": {
        "id": "01a1fbd0-52aa-7c11-a0f3-91b2c3d4e5f6",
        "sessionId": "01a1fbc9-0d41-7e02-8a15-7f0c2b9d6e33",
        "kind": "amount",
        "status": "unknown",
        "amount": "2.5",
        "token": "USDC",
        "chain": "base",
        "toAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "memo": null,
        "memoType": null,
        "claim": null,
        "networkCost": null,
        "txHash": "0x0c198a86198d32e5eebd9f0c8c905b06305344df6cefcb91260127c297b699a0",
        "reason": null,
        "createdAt": "2026-11-21T09:12:04.118Z",
        "updatedAt": "2026-11-21T10:13:41.300Z",
        "completedAt": null
      }
    }
  ],
  "collection.processing": [
    {
      "type": "collection.processing",
      "timestamp": "2026-11-26T10:00:01.204Z",
      "version": 1,
      "sequence": 42,
      "data": {
        "id": "01a20a31-5c7e-7d14-9b0e-6f2d9c1e4a77",
        "businessId": "01a1f8aa-3c1e-7d55-8b31-0d4c0d5f4a10",
        "status": "processing",
        "reason": null,
        "amount": "50000",
        "currency": "NGN",
        "country": "NG",
        "walletAddress": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "cryptoCurrency": "USDC",
        "cryptoNetwork": "base",
        "cryptoAmount": "29.38",
        "partnerPaymentId": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",
        "partnerPaymentStatus": "PROCESSING",
        "partnerReference": "JJ5275168",
        "bankName": "PAGA",
        "bankAccountNumber": "4550440202",
        "bankAccountName": "Ken Adams",
        "rate": "1617.3",
        "networkFeeUsd": "1.13",
        "serviceFeeUsd": "0.5",
        "convertedAmount": "50000",
        "settlement": "none",
        "txId": null,
        "reference": "invoice-77",
        "metadata": null,
        "expiresAt": "2026-11-26T10:30:00.000Z",
        "createdAt": "2026-11-26T10:00:00.000Z",
        "updatedAt": "2026-11-26T10:00:01.204Z"
      }
    }
  ],
  "collection.completed": [
    {
      "type": "collection.completed",
      "timestamp": "2026-11-26T10:06:12.530Z",
      "version": 1,
      "sequence": 43,
      "data": {
        "id": "01a20a31-5c7e-7d14-9b0e-6f2d9c1e4a77",
        "businessId": "01a1f8aa-3c1e-7d55-8b31-0d4c0d5f4a10",
        "status": "completed",
        "reason": null,
        "amount": "50000",
        "currency": "NGN",
        "country": "NG",
        "walletAddress": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "cryptoCurrency": "USDC",
        "cryptoNetwork": "base",
        "cryptoAmount": "29.38",
        "partnerPaymentId": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",
        "partnerPaymentStatus": "COMPLETE",
        "partnerReference": "JJ5275168",
        "bankName": "PAGA",
        "bankAccountNumber": "4550440202",
        "bankAccountName": "Ken Adams",
        "rate": "1617.3",
        "networkFeeUsd": "1.13",
        "serviceFeeUsd": "0.5",
        "convertedAmount": "50000",
        "settlement": "none",
        "txId": null,
        "reference": "invoice-77",
        "metadata": null,
        "expiresAt": "2026-11-26T10:30:00.000Z",
        "createdAt": "2026-11-26T10:00:00.000Z",
        "updatedAt": "2026-11-26T10:06:12.530Z"
      }
    }
  ],
  "collection.expired": [
    {
      "type": "collection.expired",
      "timestamp": "2026-11-26T10:30:02.018Z",
      "version": 1,
      "sequence": 43,
      "data": {
        "id": "01a20a31-5c7e-7d14-9b0e-6f2d9c1e4a77",
        "businessId": "01a1f8aa-3c1e-7d55-8b31-0d4c0d5f4a10",
        "status": "expired",
        "reason": null,
        "amount": "50000",
        "currency": "NGN",
        "country": "NG",
        "walletAddress": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "cryptoCurrency": "USDC",
        "cryptoNetwork": "base",
        "cryptoAmount": "29.38",
        "partnerPaymentId": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",
        "partnerPaymentStatus": "EXPIRED",
        "partnerReference": "JJ5275168",
        "bankName": "PAGA",
        "bankAccountNumber": "4550440202",
        "bankAccountName": "Ken Adams",
        "rate": "1617.3",
        "networkFeeUsd": "1.13",
        "serviceFeeUsd": "0.5",
        "convertedAmount": "50000",
        "settlement": "none",
        "txId": null,
        "reference": "invoice-77",
        "metadata": null,
        "expiresAt": "2026-11-26T10:30:00.000Z",
        "createdAt": "2026-11-26T10:00:00.000Z",
        "updatedAt": "2026-11-26T10:30:02.018Z"
      }
    }
  ],
  "collection.failed": [
    {
      "type": "collection.failed",
      "timestamp": "2026-11-26T10:04:40.771Z",
      "version": 1,
      "sequence": 43,
      "data": {
        "id": "01a20a31-5c7e-7d14-9b0e-6f2d9c1e4a77",
        "businessId": "01a1f8aa-3c1e-7d55-8b31-0d4c0d5f4a10",
        "status": "failed",
        "reason": "partner_failed",
        "amount": "50000",
        "currency": "NGN",
        "country": "NG",
        "walletAddress": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "cryptoCurrency": "USDC",
        "cryptoNetwork": "base",
        "cryptoAmount": "29.38",
        "partnerPaymentId": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",
        "partnerPaymentStatus": "FAILED",
        "partnerReference": "JJ5275168",
        "bankName": "PAGA",
        "bankAccountNumber": "4550440202",
        "bankAccountName": "Ken Adams",
        "rate": "1617.3",
        "networkFeeUsd": "1.13",
        "serviceFeeUsd": "0.5",
        "convertedAmount": "50000",
        "settlement": "none",
        "txId": null,
        "reference": "invoice-77",
        "metadata": null,
        "expiresAt": "2026-11-26T10:30:00.000Z",
        "createdAt": "2026-11-26T10:00:00.000Z",
        "updatedAt": "2026-11-26T10:04:40.771Z"
      }
    }
  ],
  "collection.refunded": [
    {
      "type": "collection.refunded",
      "timestamp": "2026-11-26T11:15:09.340Z",
      "version": 1,
      "sequence": 44,
      "data": {
        "id": "01a20a31-5c7e-7d14-9b0e-6f2d9c1e4a77",
        "businessId": "01a1f8aa-3c1e-7d55-8b31-0d4c0d5f4a10",
        "status": "refunded",
        "reason": null,
        "amount": "50000",
        "currency": "NGN",
        "country": "NG",
        "walletAddress": "0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22",
        "cryptoCurrency": "USDC",
        "cryptoNetwork": "base",
        "cryptoAmount": "29.38",
        "partnerPaymentId": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",
        "partnerPaymentStatus": "REFUNDED",
        "partnerReference": "JJ5275168",
        "bankName": "PAGA",
        "bankAccountNumber": "4550440202",
        "bankAccountName": "Ken Adams",
        "rate": "1617.3",
        "networkFeeUsd": "1.13",
        "serviceFeeUsd": "0.5",
        "convertedAmount": "50000",
        "settlement": "none",
        "txId": null,
        "reference": "invoice-77",
        "metadata": null,
        "expiresAt": "2026-11-26T10:30:00.000Z",
        "createdAt": "2026-11-26T10:00:00.000Z",
        "updatedAt": "2026-11-26T11:15:09.340Z"
      }
    }
  ],
  "wallet.low_balance": [
    {
      "type": "wallet.low_balance",
      "timestamp": "2026-11-24T09:12:40.113Z",
      "version": 1,
      "sequence": 529,
      "data": {
        "walletId": "01a1fd10-2f6b-7d55-8b0c-6a7de2f0c9b4",
        "name": "Payroll",
        "chain": "ethereum",
        "address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "balance": "0.0079",
        "threshold": "0.01",
        "symbol": "ETH"
      }
    }
  ],
  "endpoint.paused": [
    {
      "type": "endpoint.paused",
      "timestamp": "2026-11-24T09:12:40.113Z",
      "version": 1,
      "sequence": 530,
      "data": {
        "endpoint": {
          "id": "01a1fd10-2f6b-7d55-8b0c-6a7de2f0c9b4",
          "description": "Orders",
          "host": "shop.example"
        },
        "reason": "failing",
        "failingSince": "2026-11-21T09:10:02.870Z",
        "lastError": "status 502"
      }
    }
  ],
  "endpoint.recovered": [
    {
      "type": "endpoint.recovered",
      "timestamp": "2026-11-24T11:02:19.004Z",
      "version": 1,
      "sequence": 544,
      "data": {
        "endpoint": {
          "id": "01a1fd10-2f6b-7d55-8b0c-6a7de2f0c9b4",
          "description": "Orders",
          "host": "shop.example"
        },
        "pausedReason": null,
        "types": [
          "session.paid"
        ]
      }
    }
  ],
  "delivery.failed": [
    {
      "type": "delivery.failed",
      "timestamp": "2026-11-24T09:12:40.113Z",
      "version": 1,
      "sequence": 531,
      "data": {
        "endpoint": {
          "id": "01a1fd10-2f6b-7d55-8b0c-6a7de2f0c9b4",
          "description": "Orders",
          "host": "shop.example"
        },
        "count": 3,
        "types": [
          {
            "type": "session.paid",
            "count": 3,
            "lastError": "status 500",
            "deliveryId": "01a1fd10-4c17-7f31-a2f0-95d0b0f7d4ab"
          }
        ]
      }
    }
  ],
  "endpoint.test": [
    {
      "type": "endpoint.test",
      "timestamp": "2026-11-21T04:53:40.533Z",
      "version": 1,
      "sequence": 1,
      "data": {
        "message": "A test event.",
        "endpointId": "01a1fc73-c265-711d-9ae4-4265201d993b"
      }
    }
  ],
  "verification.completed": [
    {
      "type": "verification.completed",
      "timestamp": "2026-11-29T09:00:15.187Z",
      "version": 1,
      "sequence": 61,
      "data": {
        "id": "01a2267a-1d5f-7a31-8f0e-6f2b9c1d4e70",
        "requestId": "customer-480",
        "status": "completed",
        "reasonCode": null,
        "price": "0.25"
      }
    }
  ],
  "verification.failed": [
    {
      "type": "verification.failed",
      "timestamp": "2026-11-29T09:01:15.187Z",
      "version": 1,
      "sequence": 62,
      "data": {
        "id": "01a2267a-1d5f-7a31-8f0e-6f2b9c1d4e71",
        "requestId": "customer-481",
        "status": "failed",
        "reasonCode": "selfie_mismatch",
        "price": "0.25"
      }
    }
  ],
  "verification.not_found": [
    {
      "type": "verification.not_found",
      "timestamp": "2026-11-29T09:02:15.187Z",
      "version": 1,
      "sequence": 63,
      "data": {
        "id": "01a2267a-1d5f-7a31-8f0e-6f2b9c1d4e72",
        "requestId": "customer-482",
        "status": "not_found",
        "reasonCode": "identity_not_found",
        "price": "0.25"
      }
    }
  ],
  "verification.error": [
    {
      "type": "verification.error",
      "timestamp": "2026-11-29T09:03:15.187Z",
      "version": 1,
      "sequence": 64,
      "data": {
        "id": "01a2267a-1d5f-7a31-8f0e-6f2b9c1d4e73",
        "requestId": "customer-483",
        "status": "error",
        "reasonCode": "provider_unavailable",
        "price": "0.25"
      }
    }
  ],
}
