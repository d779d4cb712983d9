// Package n01 has workers that write rows of their own.
package n01

import "sync"

func fill(rows [][]int) int {
	for r := range rows {
		for i := range rows[r] {
			rows[r][i] += i
		}
	}
	return len(rows)
}

func fillRows(rows [][]int) int {
	var wg sync.WaitGroup
	for r := range rows {
		row := rows[r]
		wg.Go(func() {
			for i := range row {
				row[i] += i
			}
		})
	}
	wg.Wait()
	return len(rows)
}
