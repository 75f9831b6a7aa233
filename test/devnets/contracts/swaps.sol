// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// 0x's protocol as a taker meets it (github.com/0xProject/0x-settler, MIT: ISettlerTakerSubmitted, ISettlerActions,
// IDeployer). AllowanceHolder itself is 0x's own bytecode (allowanceHolder.json).

interface IAllowanceHolder {
    function transferFrom(address token, address owner, address recipient, uint256 amount) external returns (bool);
}

struct TokenPermissions {
    address token;
    uint256 amount;
}

struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

/// 0x's actions of which the devnets' routes are made.
interface IActions {
    function TRANSFER_FROM(address recipient, PermitTransferFrom memory permit, bytes memory sig) external;
    function NATIVE_CHECK(uint256 deadline, uint256 msgValue) external;
    function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes calldata data) external;
}

address constant HOLDER = 0x0000000000001fF3684f28c67538d4D072C22734;
address constant COIN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

struct AllowedSlippage {
    address payable recipient;
    address buyToken;
    uint256 minAmountOut;
}

/// Behind AllowanceHolder, the sender is appended to the call (ERC-2771).
abstract contract Taken {
    function sender() internal view returns (address) {
        if (msg.sender != HOLDER) return msg.sender;
        return address(bytes20(msg.data[msg.data.length - 20:]));
    }

    /// USDT answers nothing.
    function mustCall(address target, uint256 value, bytes memory data) internal {
        (bool ok, bytes memory answer) = target.call{value: value}(data);
        if (!ok) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function balance(address token, address owner) internal view returns (uint256) {
        if (token == COIN) return owner.balance;
        (, bytes memory answer) = token.staticcall(abi.encodeWithSignature("balanceOf(address)", owner));
        return abi.decode(answer, (uint256));
    }

    function pay(address token, address payable to, uint256 amount) internal {
        if (token == COIN) mustCall(to, amount, "");
        else mustCall(token, 0, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
    }
}

/// A Settler: runs the actions, checks the slippage, and pays all that it got to the recipient.
contract TestSettler is Taken {
    error TooMuchSlippage(address token, uint256 expected, uint256 actual);
    error ActionInvalid(uint256 i, bytes4 action, bytes data);
    error SignatureExpired(uint256 deadline);
    error MsgValueMismatch(uint256 expected, uint256 actual);

    receive() external payable {}

    function execute(AllowedSlippage memory slippage, bytes[] calldata actions, bytes32) external payable returns (bool) {
        for (uint256 i = 0; i < actions.length; i++) run(i, bytes4(actions[i]), actions[i][4:]);
        uint256 amount = balance(slippage.buyToken, address(this));
        if (amount < slippage.minAmountOut) revert TooMuchSlippage(slippage.buyToken, slippage.minAmountOut, amount);
        pay(slippage.buyToken, slippage.recipient, amount);
        return true;
    }

    function run(uint256 i, bytes4 action, bytes calldata data) private {
        if (action == IActions.TRANSFER_FROM.selector) {
            (address recipient, PermitTransferFrom memory permit, ) = abi.decode(data, (address, PermitTransferFrom, bytes));
            if (permit.deadline < block.timestamp) revert SignatureExpired(permit.deadline);
            IAllowanceHolder(HOLDER).transferFrom(permit.permitted.token, sender(), recipient, permit.permitted.amount);
        } else if (action == IActions.NATIVE_CHECK.selector) {
            (uint256 deadline, uint256 value) = abi.decode(data, (uint256, uint256));
            if (deadline < block.timestamp) revert SignatureExpired(deadline);
            if (msg.value > value) revert MsgValueMismatch(value, msg.value);
        } else if (action == IActions.BASIC.selector) {
            (address sellToken, uint256 bps, address pool, , bytes memory call) =
                abi.decode(data, (address, uint256, address, uint256, bytes));
            uint256 amount = sellToken == address(0) ? 0 : (balance(sellToken, address(this)) * bps) / 10_000;
            if (sellToken != COIN && amount > 0)
                mustCall(sellToken, 0, abi.encodeWithSignature("approve(address,uint256)", pool, amount));
            mustCall(pool, sellToken == COIN ? amount : 0, call);
        } else {
            revert ActionInvalid(i, action, data);
        }
    }
}

/// The registry of Settlers: `ownerOf` has the present one, `prev` the one before. Both revert while 0x has paused.
contract TestDeployer {
    address private immutable current;
    address private immutable previous;
    bool public paused;

    error ERC721NonexistentToken(uint256 tokenId);

    constructor(address current_, address previous_) {
        current = current_;
        previous = previous_;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function ownerOf(uint256 tokenId) external view returns (address) {
        if (paused || tokenId != 2) revert ERC721NonexistentToken(tokenId);
        return current;
    }

    function prev(uint128 feature) external view returns (address) {
        if (paused || feature != 2) revert ERC721NonexistentToken(feature);
        return previous;
    }
}

/// Trades at the amounts that it is called with, less what the price has moved since.
contract TestPool is Taken {
    uint256 public movedBps;

    receive() external payable {}

    function setMoved(uint256 bps) external {
        movedBps = bps;
    }

    function trade(address sellToken, uint256 sellAmount, address buyToken, uint256 buyAmount) external payable {
        if (sellToken == COIN) require(msg.value == sellAmount, "another value");
        else pull(sellToken, msg.sender, sellAmount);
        pay(buyToken, payable(msg.sender), (buyAmount * (10_000 - movedBps)) / 10_000);
    }

    /// Takes what its owner has allowed the pool.
    function pull(address token, address owner, uint256 amount) public {
        mustCall(token, 0, abi.encodeWithSignature("transferFrom(address,address,uint256)", owner, address(this), amount));
    }
}

/// In a Settler's interface, but no Settler of 0x: it keeps what it can take, and pays nothing.
contract CounterfeitSettler is Taken {
    receive() external payable {}

    function execute(AllowedSlippage memory, bytes[] calldata actions, bytes32) external payable returns (bool) {
        if (actions.length == 0) return true;
        (, PermitTransferFrom memory permit, ) = abi.decode(actions[0][4:], (address, PermitTransferFrom, bytes));
        TokenPermissions memory taken = permit.permitted;
        IAllowanceHolder(HOLDER).transferFrom(taken.token, sender(), address(this), taken.amount);
        return true;
    }
}
