import type { PaymentPartner } from '../../partnerPayments/partner.ts'

/** Who pays banks. */
export const bankPartner: PaymentPartner['name'] = 'yellowcard'
