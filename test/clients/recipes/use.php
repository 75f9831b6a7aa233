<?php

// Uses the recipe for the test: its task comes as JSON, and what happened goes out as JSON.

require __DIR__ . '/cowry.php';

$task = json_decode(file_get_contents('php://stdin'), true);

function create(array $task, string $order, array $more): string
{
    try {
        $session = $more + ['chain' => 'ethereum', 'token' => 'USDC', 'amount' => '25.5'];
        return Cowry\create_session($task['baseUrl'], $task['apiKey'], $order, $session)['id'];
    } catch (Cowry\CowryError $error) {
        return "{$error->getCode()} {$error->error} {$error->fields[0]['field']}";
    }
}

function verify(array $task, array $webhook): string
{
    try {
        return Cowry\verify_webhook($task['secret'], $webhook['headers'], $webhook['body'], $webhook['now'])['type'];
    } catch (UnexpectedValueException $error) {
        return $error->getMessage();
    }
}

$order = $task['orderId'];
echo json_encode([
    'sessions' => [create($task, $order, []), create($task, $order, []), create($task, "$order-2", ['amount' => '-1'])],
    'verified' => array_map(fn (array $each) => verify($task, $each), $task['webhooks']),
]);
