/** Stands for a stored secret in answers; sent back, it means "keep it". */
export const SECRET_MASK = 'XXXXXXXX';
