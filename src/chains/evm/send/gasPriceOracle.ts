/** GasPriceOracle, on all chains of the OP stack (OP docs, "Transaction fees"). */
export const gasPriceOracle = '0x420000000000000000000000000000000000000f'
