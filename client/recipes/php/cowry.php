<?php

// Cowry in PHP 8, without extensions beyond its core: create a session, verify a webhook.

declare(strict_types=1);

namespace Cowry;

/** An answer that is not 2xx: its status as the code, `error` for programs, the message for people. */
final class CowryError extends \RuntimeException
{
    public readonly string $error;
    public readonly array $fields;

    public function __construct(int $status, array $body)
    {
        parent::__construct($body['message'] ?? '', $status);
        $this->error = $body['error'] ?? "http_$status";
        $this->fields = $body['fields'] ?? [];
    }
}

/** Creates the session of an order. Called again with the same order, it answers the same session. */
function create_session(string $baseUrl, string $apiKey, string $orderId, array $session): array
{
    $stream = fopen("$baseUrl/pos/sessions", 'r', false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            "X-API-Key: $apiKey",
            'Content-Type: application/json',
            "Idempotency-Key: $orderId",
        ],
        'content' => json_encode(['reference' => $orderId] + $session, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        // A followed redirect would send the key to another site.
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]));
    $answer = $stream === false ? false : stream_get_contents($stream);
    if ($answer === false) {
        throw new \RuntimeException('no answer: call again with the same order');
    }
    $status = (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
    fclose($stream);
    $body = json_decode($answer, true);
    if ($status < 200 || $status >= 300 || !is_array($body)) {
        throw new CowryError($status, is_array($body) ? $body : []);
    }
    return $body;
}

/**
 * Returns the event of a webhook.
 * @param array<string, string> $headers for instance those of getallheaders()
 * @param string $rawBody as received: file_get_contents('php://input')
 * @throws \UnexpectedValueException if it is not genuine
 */
function verify_webhook(string $secret, array $headers, string $rawBody, ?int $now = null): array
{
    $given = array_change_key_case($headers);
    $id = $given['webhook-id'] ?? '';
    $sentAt = $given['webhook-timestamp'] ?? '';
    $signatures = $given['webhook-signature'] ?? '';
    if ($id === '' || $signatures === '' || preg_match('/^\d{1,12}$/D', $sentAt) !== 1) {
        throw new \UnexpectedValueException('it is not signed');
    }
    // An old one may be a recording that someone sends again.
    if (abs(($now ?? time()) - (int) $sentAt) > 300) {
        throw new \UnexpectedValueException('too old, or from the future');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || $key === '') {
        throw new \InvalidArgumentException('the secret is not base64 after whsec_');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$rawBody", $key, true));
    foreach (explode(' ', $signatures) as $each) {
        if (hash_equals($expected, $each)) {
            return json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
        }
    }
    throw new \UnexpectedValueException('the signature is wrong');
}
