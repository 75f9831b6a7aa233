// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A token as USDC behaves for its holders and minters: `transfer` answers true, EIP-3009, minters that mint and burn, as in FiatTokenV2
/// (circlefin/stablecoin-evm). Bridged tokens behave the same.
contract TestUSDC {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address public immutable masterMinter = msg.sender;
    mapping(address => bool) public isMinter;
    mapping(address => bool) public isBlacklisted;
    bool public paused;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        isMinter[msg.sender] = true;
    }

    function configureMinter(address minter, uint256) external returns (bool) {
        require(msg.sender == masterMinter, "FiatToken: caller is not the masterMinter");
        isMinter[minter] = true;
        return true;
    }

    /// In FiatTokenV2 of the blacklister.
    function blacklist(address account) external {
        isBlacklisted[account] = true;
    }

    /// In FiatTokenV2 of the pauser.
    function pause() external {
        paused = true;
    }

    function unpause() external {
        paused = false;
    }

    modifier flows(address from, address to) {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        _;
    }

    function mint(address to, uint256 value) external flows(msg.sender, to) returns (bool) {
        require(isMinter[msg.sender], "FiatToken: caller is not a minter");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
        return true;
    }

    function burn(uint256 value) external {
        require(isMinter[msg.sender], "FiatToken: caller is not a minter");
        require(balanceOf[msg.sender] >= value, "FiatToken: burn amount exceeds balance");
        totalSupply -= value;
        balanceOf[msg.sender] -= value;
        emit Transfer(msg.sender, address(0), value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external flows(from, to) returns (bool) {
        require(allowance[from][msg.sender] >= value, "ERC20: transfer amount exceeds allowance");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                    keccak256(bytes(name)),
                    keccak256("2"),
                    block.chainid,
                    address(this)
                )
            );
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 data = keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        // Circle's ECRecover refuses the malleable upper half of s.
        require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "ECRecover: invalid signature 's' value");
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), data)), v, r, s);
        require(signer != address(0) && signer == from, "FiatTokenV2: invalid signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0), "ERC20: transfer to the zero address");
        require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// A token as USDT behaves on Ethereum: `transfer`, `transferFrom` and `approve` answer nothing, and an allowance
/// that is not zero must be set to zero before it is changed. Its owner can switch on a fee, which the recipient of a transfer pays.
contract TestUSDT {
    string public name = "Tether USD";
    string public symbol = "USDT";
    uint256 public decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address public owner = msg.sender;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Issue(uint256 amount);
    event Params(uint256 feeBasisPoints, uint256 maxFee);

    uint256 public basisPointsRate;
    uint256 public maximumFee;

    constructor(uint256 decimals_) {
        decimals = decimals_;
    }

    function issue(uint256 amount) external {
        require(msg.sender == owner);
        totalSupply += amount;
        balanceOf[owner] += amount;
        emit Issue(amount);
    }

    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external {
        require(msg.sender == owner && newBasisPoints < 20 && newMaxFee < 50);
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee * 10 ** decimals;
        emit Params(basisPointsRate, maximumFee);
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function move(address from, address to, uint256 value) internal {
        require(balanceOf[from] >= value);
        uint256 fee = (value * basisPointsRate) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
        emit Transfer(from, to, value - fee);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        require(allowance[from][msg.sender] >= value);
        allowance[from][msg.sender] -= value;
        move(from, to, value);
    }
}

/// Sends what it holds in several transfers of one transaction, as payroll and exchange wallets do.
contract Batch {
    function send(address token, address[] calldata to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < to.length; i++) {
            (bool ok, ) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to[i], amounts[i]));
            require(ok, "a transfer failed");
        }
    }
}

/// Moves the native coin by internal calls: what it moves stands in no transaction's `value`.
contract Forwarder {
    receive() external payable {}

    function pay(address payable to) external payable {
        send(to, msg.value);
    }

    function payMany(address payable[] calldata to, uint256[] calldata amounts) external payable {
        for (uint256 i = 0; i < to.length; i++) send(to[i], amounts[i]);
    }

    /// The inner call pays and then reverts: the transaction succeeds, and nothing has moved to `to`.
    function payOrFail(address payable to) external payable {
        try this.payAndRevert{value: msg.value}(to) {} catch {}
    }

    function payAndRevert(address payable to) external payable {
        send(to, msg.value);
        revert("taken back");
    }

    /// A contract that ends itself gives what it holds to `to` without calling it.
    function vanish(address payable to) external payable {
        Vanishing child = new Vanishing{value: msg.value}();
        child.vanish(to);
    }

    function send(address payable to, uint256 amount) internal {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "a payment failed");
        NativeLog log = NativeLog(address(0x1010));
        if (address(log).code.length > 0) log.moved(address(this), to, amount);
    }
}

/// Polygon's nodes log each transfer of POL as this contract's (0x…1010). anvil does not, so the caller logs it.
contract NativeLog {
    event LogTransfer(
        address indexed token, address indexed from, address indexed to,
        uint256 amount, uint256 input1, uint256 input2, uint256 output1, uint256 output2
    );

    function moved(address from, address to, uint256 amount) external {
        emit LogTransfer(address(this), from, to, amount, from.balance + amount, to.balance - amount, from.balance, to.balance);
    }
}

contract Vanishing {
    constructor() payable {}

    function vanish(address payable to) external {
        selfdestruct(to);
    }
}
